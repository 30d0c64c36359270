//! Which form of a sentence goes with a number: the cardinal categories of the Unicode CLDR as Fluent has them, a function for each
//! language.
//!
//! Fluent would choose by itself, from numbers as floats and with the rules of all languages at hand: a tenth of the page for
//! what two short functions tell. A test holds them against Fluent's own choice.

/// The category of `value / 10^decimals`, written with that many decimals: `zero`, `one`, `two`, `few`, `many` or `other`.
pub type Plural = fn(value: u64, decimals: u32) -> &'static str;

/// `one` for 1 without decimals.
pub fn english(value: u64, decimals: u32) -> &'static str {
    match (value, decimals) {
        (1, 0) => "one",
        _ => "other",
    }
}

/// `one` below 2. The `many` of whole millions (« un million de cartes ») is for numbers in words, which no sentence has.
pub fn french(value: u64, decimals: u32) -> &'static str {
    let whole = 10u64.checked_pow(decimals).map_or(0, |unit| value / unit);
    match whole {
        0 | 1 => "one",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use fluent_bundle::types::{FluentNumber, FluentNumberOptions};
    use fluent_bundle::{FluentArgs, FluentBundle, FluentResource};

    const FORMS: &str = "form = { $n ->\n    [zero] zero\n    [one] one\n    [two] two\n    [few] few\n    [many] many\n   *[other] other\n}\n";

    #[test]
    fn every_language_chooses_as_fluent_does() {
        for language in Language::all() {
            let mut bundle = FluentBundle::new(vec![language.code().parse().expect("a language")]);
            let resource = FluentResource::try_new(FORMS.to_owned()).expect("a text");
            bundle.add_resource(resource).expect("one id");
            let form = bundle
                .get_message("form")
                .and_then(|found| found.value())
                .expect("the text");
            let round = [
                10_000u64, 100_000, 999_999, 1_000_000, 1_000_001, 2_000_000, 10_000_000, 1_500_000,
            ];
            for value in (0..2_200).chain(round) {
                for decimals in 0..3u32 {
                    let options = FluentNumberOptions {
                        minimum_fraction_digits: Some(decimals as usize),
                        ..Default::default()
                    };
                    let mut args = FluentArgs::new();
                    let number = value as f64 / 10f64.powi(decimals as i32);
                    args.set("n", FluentNumber::new(number, options));
                    let fluents = bundle.format_pattern(form, Some(&args), &mut Vec::new());
                    let ours = (language.0.plural)(value, decimals);
                    assert_eq!(ours, fluents, "{} of {value} with {decimals} decimals", language.code());
                }
            }
        }
    }
}
