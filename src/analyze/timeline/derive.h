/* Tracks that a TPU's profile does not hold itself: framework operations, their name scopes and lines of source, derived from the
 * operations of each core. */
#ifndef TP_ANALYZE_TIMELINE_DERIVE_H
#define TP_ANALYZE_TIMELINE_DERIVE_H

struct tp_pass_ctx;
struct tp_profile;

/* The profile with these lines behind its own, and with the names of their events as operations behind its own; the profile itself
 * where there is nothing to derive, or where so many operations ran that it would take too long. In ctx->keep.
 *
 * An event stands for operations that run one after the other with the same name, in one step; what encloses others, as a loop does,
 * is none of them. Scopes nest: of "model/dense/MatMul" they are "model" and in it "model/dense". */
const struct tp_profile *tp_timeline_derive(const struct tp_pass_ctx *ctx);

#endif
