//! What is set on a scenario, in words: for people, for the command line, for the name of a file.

use super::any::AnyScenario;
use packet_core::model::query;
use packet_core::parameter::{Setting, Value};

/// Characters of a file's name that say the scenario; more would be cut by some systems.
const NAME_LENGTH: usize = 100;

/// What differs from the start values: `Response size 64 KB, Initial window 46 segments`.
pub fn describe(scenario: &dyn AnyScenario) -> String {
    let changed = scenario.changed();
    let parts: Vec<_> =
        changed.iter().map(|(s, v)| format!("{} {}", s.label, s.show(*v))).collect();
    if parts.is_empty() { "the start values".to_owned() } else { parts.join(", ") }
}

/// What a figure out of the page is about: its main settings, and what differs from the start values.
pub fn caption(scenario: &dyn AnyScenario) -> String {
    let about = scenario.about();
    let settings = scenario.settings();
    let changed = scenario.changed();
    let is_main = |(i, setting): &(usize, &Setting)| {
        let is_seen = *i < about.settings && !about.more.contains(&setting.key);
        is_seen && matches!(scenario.get(*i), Value::Number(_) | Value::Numbers(_))
    };
    let is_changed = |setting: &Setting| changed.iter().any(|(it, _)| it.key == setting.key);
    let (main, others): (Vec<_>, Vec<_>) = settings.iter().enumerate().partition(is_main);
    let others = others.into_iter().filter(|(_, setting)| is_changed(setting));
    let told = |(i, setting): (usize, &Setting)| {
        format!("{} {}", setting.label, setting.show(scenario.get(i)))
    };
    let parts: Vec<_> = main.into_iter().chain(others).map(told).collect();
    parts.join(", ")
}

/// What differs from the start values as options: ` --size 64KB --initial-window 46`.
pub fn options(scenario: &dyn AnyScenario) -> String {
    let settings = scenario.settings();
    let assumed = &settings[scenario.about().settings..];
    let option = |(setting, value): (Setting, Value)| match (setting.name, setting.exact(value)) {
        (name, value) if assumed.iter().any(|s| s.name == name) => {
            format!(" --assume {name}={value}")
        }
        (name, value) => format!(" --{name} {value}"),
    };
    scenario.changed().into_iter().map(option).collect()
}

/// The name of a file about the run, without its ending: `slow-start-size-64KB-iw-46`.
pub fn file_name(scenario: &dyn AnyScenario) -> String {
    let name: String = format!("{} {}", scenario.about().name, query(scenario))
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' })
        .take(NAME_LENGTH)
        .collect();
    name.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::assumptions::{Pacing, Preset};
    use packet_core::bdp::{self, BandwidthDelay, SizingRule};
    use packet_core::model::Of;
    use packet_core::units::{Bytes, Time};
    use packet_core::{Scenario, SlowStart};

    fn scenario() -> Scenario {
        Scenario {
            size: Bytes::kb(64),
            initial_window: 46,
            idle: Some(Time::millis(500)),
            ..Scenario::default()
        }
    }

    #[test]
    fn settings_are_told_to_people() {
        assert_eq!(
            describe(&Of::<SlowStart>(scenario())),
            "Response size 64 KB, Initial window 46 segments, Idle, then a second request 500 ms"
        );
        assert_eq!(describe(&Of::<SlowStart>(Scenario::default())), "the start values");
    }

    #[test]
    fn a_figure_says_all_that_it_needs_to_be_understood_by_itself() {
        assert_eq!(
            caption(&Of::<SlowStart>(Scenario { hystart: false, ..Scenario::default() })),
            "Response size 1 MB, Link rate 100 Mbps, Round-trip time 80 ms, Initial window 10 segments, \
             HyStart off"
        );
    }

    #[test]
    fn settings_are_told_to_the_command_line() {
        assert_eq!(
            Of::<SlowStart>(scenario()).command(),
            "slowstart run --size 64KB --initial-window 46 --idle 500ms"
        );
        let mut scenario = Scenario::of(Preset::Linux);
        scenario.assumptions.pacing = Pacing::FqLike;
        assert_eq!(
            Of::<SlowStart>(scenario).command(),
            "slowstart run --model linux --assume pacing=fq-like"
        );
        let rule = SizingRule::MyLinkXIdlePing;
        let scenario = bdp::Scenario { rule, ..bdp::Scenario::default() };
        assert_eq!(
            Of::<BandwidthDelay>(scenario).command(),
            "slowstart bdp --rule my-link-x-idle-ping"
        );
    }

    #[test]
    fn a_files_name_says_the_scenario() {
        assert_eq!(
            file_name(&Of::<SlowStart>(scenario())),
            "slow-start-size-64KB-iw-46-idle-500ms"
        );
        assert_eq!(file_name(&Of::<SlowStart>(Scenario::default())), "slow-start");
    }
}
