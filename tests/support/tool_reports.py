"""Reports on tool files of older profilers, laid out as those left them."""

import tempfile
from pathlib import Path

from truth import Report


def folder_of(files, into):
    run_folder = Path(into, "logs/plugins/profile/run")
    run_folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (run_folder / name).write_bytes(data)
    return Path(into, "logs")


def report_on(**files):
    """files: vm_overview_page_json=b"…", with dots for underscores around the kind"""
    with tempfile.TemporaryDirectory() as into:
        return Report(folder_of(files, into), "--top", "all")
