# Homebrew's formula (Linux). At a release: url and sha256 of the source's archive in the place of head.
class Tpreport < Formula
  desc "One self-contained report of profiler logs of JAX, TensorFlow and PyTorch"
  license all_of: ["Apache-2.0", "OFL-1.1"]
  head "tpreport.git", branch: "main", using: :git

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "cairo"
  depends_on "curl"
  depends_on "fontconfig"
  depends_on "isa-l"
  depends_on "jansson"
  depends_on "libdeflate"
  depends_on "libedit"
  depends_on "libxml2"
  depends_on :linux
  depends_on "pango"
  depends_on "pcre2"
  depends_on "protobuf-c"
  depends_on "sqlite"
  depends_on "zlib"
  depends_on "zstd"

  # The faces that are embedded: Inter and JetBrains Mono as files in one folder.
  def install
    fonts = ENV["TPREPORT_FONTS"] || "/usr/share/fonts"
    system "cmake", "-S", ".", "-B", "build/brew", "-G", "Ninja", "-DBUILD_TESTING=OFF",
                    "-DTP_FONT_PATH=#{fonts}", *std_cmake_args
    system "cmake", "--build", "build/brew"
    system "cmake", "--install", "build/brew", "--strip"
    pkgshare.install "examples/jax_cnn/input" => "jax_cnn"
  end

  test do
    system bin/"tpreport", pkgshare/"jax_cnn", "-o", "report.html", "-o", "report.pdf"
    assert_path_exists testpath/"report.html"
    assert_match version.to_s, shell_output("#{bin}/tpreport --version")
  end
end
