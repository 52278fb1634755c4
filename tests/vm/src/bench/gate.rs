//! What a figure may be, compared with another one of the same boot.

use super::Figures;

/// One comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    /// The first word of the lines that both figures are in.
    pub(super) section: &'static str,
    /// The figure that is judged.
    pub(super) ours: &'static str,
    /// What it is compared with.
    pub(super) base: &'static str,
    /// What is asked.
    pub(super) limit: Limit,
}

/// How two figures shall compare.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// The base takes at least so many times as long.
    FasterBy(f64),
    /// It takes at most so many times as long as the base.
    AtMost(f64),
    /// It takes at least so many nanoseconds less than the base.
    Saves(f64),
    /// The figures are no times but rates: it does at least so many times what the base does.
    AtLeast(f64),
}

impl Gate {
    /// Whether it holds, and a line that says so. A figure that is not there is a failure.
    pub(super) fn judge(&self, figures: &Figures) -> (bool, String) {
        let Self {
            section,
            ours,
            base,
            limit,
        } = self;
        let head = format!("{section}: `{ours}`");
        let (Some(own), Some(other)) = (figures.median(ours), figures.median(base)) else {
            let missing = if figures.median(ours).is_none() {
                ours
            } else {
                base
            };
            return (
                false,
                format!("FAILED  {head} beside `{base}`: no figure for `{missing}`"),
            );
        };
        let (holds, text) = match *limit {
            Limit::FasterBy(asked) => (
                own * asked <= other,
                format!(
                    "{head} is {:.2} times as fast as `{base}`; asked is {asked:.2}",
                    other / own
                ),
            ),
            Limit::AtMost(allowed) => (
                own <= other * allowed,
                format!(
                    "{head} takes {:.3} times what `{base}` takes; allowed is {allowed:.2}",
                    own / other
                ),
            ),
            Limit::Saves(asked) => (
                own + asked <= other,
                format!(
                    "{head} takes {:.0} ns less than `{base}`; asked is {asked:.0}",
                    other - own
                ),
            ),
            Limit::AtLeast(asked) => (
                own >= other * asked,
                format!(
                    "{head} does {:.3} times what `{base}` does; asked is {asked:.2}",
                    own / other
                ),
            ),
        };
        (
            holds,
            format!("{}  {text}", if holds { "holds " } else { "FAILED" }),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_hold_and_fail() {
        let figures = Figures::read("copy 100\nsgm_dd 300\nc loop 96\n");
        let judge = |base, limit| {
            let gate = Gate {
                section: "64k",
                ours: "copy",
                base,
                limit,
            };
            gate.judge(&figures)
        };
        assert_eq!(
            judge("sgm_dd", Limit::FasterBy(3.0)),
            (
                true,
                "holds   64k: `copy` is 3.00 times as fast as `sgm_dd`; asked is 3.00".to_owned()
            )
        );
        assert!(!judge("sgm_dd", Limit::FasterBy(3.01)).0);
        assert!(judge("c loop", Limit::AtMost(1.05)).0);
        let (holds, text) = judge("c loop", Limit::AtMost(1.04));
        assert!(!holds && text.starts_with("FAILED") && text.contains("1.042 times"));
        let (holds, text) = judge("sgp_dd", Limit::FasterBy(1.0));
        assert!(!holds && text.ends_with("no figure for `sgp_dd`"));

        assert!(judge("sgm_dd", Limit::Saves(200.0)).0);
        let (holds, text) = judge("sgm_dd", Limit::Saves(201.0));
        assert!(!holds && text.contains("200 ns less than"), "{text}");
        assert!(!judge("c loop", Limit::Saves(0.0)).0);
        assert!(!judge("sgp_dd", Limit::Saves(0.0)).0);

        assert!(judge("c loop", Limit::AtLeast(1.04)).0);
        assert!(!judge("c loop", Limit::AtLeast(1.05)).0);
        let (holds, text) = judge("sgm_dd", Limit::AtLeast(0.5));
        assert!(!holds && text.contains("does 0.333 times"), "{text}");
        assert!(!judge("sgp_dd", Limit::AtLeast(0.0)).0);
    }
}
