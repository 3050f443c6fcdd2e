//! Charts of lines as SVG: axes with round numbers, a legend, nothing that a viewer would have to load.

use std::fmt::Write;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 60.0;

/// Colors that stay apart for most eyes, and marks that stay apart in print.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#444444", "#56b4e9"];

/// What an axis shows.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The quantity, with its unit.
    pub label: String,
    /// Whether equal steps are equal factors.
    pub logarithmic: bool,
}

/// A line with its name in the legend.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<[f64; 2]>,
}

/// A chart of lines over common axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What stands above.
    pub title: String,
    /// The horizontal and the vertical axis.
    pub axes: [Axis; 2],
    /// The lines, in the order of the legend.
    pub series: Vec<Series>,
}

/// An axis with its range and where numbers stand on it.
struct Scale {
    logarithmic: bool,
    range: [f64; 2],
    ticks: Vec<f64>,
}

impl Scale {
    fn over(logarithmic: bool, values: impl Iterator<Item = f64> + Clone) -> Scale {
        let usable = values.filter(|value| value.is_finite() && (!logarithmic || *value > 0.0));
        let low = usable.clone().fold(f64::INFINITY, f64::min);
        let high = usable.fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low > high { (1.0, 2.0) } else { (low, high) };
        if logarithmic { Scale::of_factors(low, high) } else { Scale::of_steps(low.min(0.0), high) }
    }

    /// From zero, in steps of 1, 2 or 5 times a power of ten.
    fn of_steps(low: f64, high: f64) -> Scale {
        let high = if high > low { high } else { low + 1.0 };
        let rough = (high - low) / 6.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let ticks: Vec<f64> = (0..=(last - first) as usize).map(|i| (first + i as f64) * step).collect();
        Scale { logarithmic: false, range: [first * step, last * step], ticks }
    }

    /// Between powers of ten, or their 1, 2 and 5 times where the range is short.
    fn of_factors(low: f64, high: f64) -> Scale {
        let factors: &[f64] = if high / low > 1e4 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let powers = low.log10().floor() as i32..=high.log10().ceil() as i32 + 1;
        let all: Vec<f64> =
            powers.flat_map(|power| factors.iter().map(move |m| m * 10_f64.powi(power))).collect();
        // The tick below the least and the tick above the greatest value; rounding must not lose either.
        let first = all.iter().rposition(|tick| *tick <= low * (1.0 + 1e-9)).unwrap_or(0);
        let last = all.iter().position(|tick| *tick >= high * (1.0 - 1e-9)).unwrap_or(all.len() - 1);
        let last = last.max(first + 1).min(all.len() - 1);
        Scale { logarithmic: true, range: [all[first], all[last]], ticks: all[first..=last].to_vec() }
    }

    /// Where a value lies between the ends, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        if self.logarithmic { (value / low).ln() / (high / low).ln() } else { (value - low) / (high - low) }
    }
}

impl Chart {
    /// The picture.
    pub fn svg(&self) -> String {
        let scales = [0, 1].map(|side| {
            let values = self.series.iter().flat_map(|series| series.points.iter().map(move |p| p[side]));
            Scale::over(self.axes[side].logarithmic, values)
        });
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let x = |value: f64| LEFT + scales[0].place(value) * (right - LEFT);
        let y = |value: f64| bottom - scales[1].place(value) * (bottom - TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        // Writing to a string cannot fail.
        let mut add = |line: String| writeln!(svg, "{line}").unwrap_or_default();
        let text = |x: f64, y: f64, more: &str, words: &str| {
            format!("<text x=\"{x:.1}\" y=\"{y:.1}\" {more}>{}</text>", escaped(words))
        };
        add(text(LEFT, 28.0, "font-size=\"16\" font-weight=\"bold\"", &self.title));
        for tick in &scales[0].ticks {
            let x = x(*tick);
            add(format!("<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>"));
            add(text(x, bottom + 18.0, "text-anchor=\"middle\"", &number(*tick)));
        }
        for tick in &scales[1].ticks {
            let y = y(*tick);
            add(format!("<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>"));
            add(text(LEFT - 8.0, y + 4.5, "text-anchor=\"end\"", &number(*tick)));
        }
        add(format!("<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#222\"/>"));
        let middle = (LEFT + right) / 2.0;
        add(text(middle, HEIGHT - 16.0, "text-anchor=\"middle\"", &self.axes[0].label));
        let middle = (TOP + bottom) / 2.0;
        let turned = format!("text-anchor=\"middle\" transform=\"rotate(-90 20 {middle})\"");
        add(text(20.0, middle, &turned, &self.axes[1].label));
        for (index, series) in self.series.iter().enumerate() {
            let color = COLOURS[index % COLOURS.len()];
            let shown = |value: f64, scale: &Scale| value.is_finite() && (!scale.logarithmic || value > 0.0);
            let points: Vec<[f64; 2]> = series
                .points
                .iter()
                .filter(|p| (0..2).all(|side| shown(p[side], &scales[side])))
                .map(|p| [x(p[0]), y(p[1])])
                .collect();
            let line: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
            let line = line.join(" ");
            add(format!("<polyline points=\"{line}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"));
            for [x, y] in points {
                add(mark(index, color, x, y));
            }
            let (x, y) = (right + 16.0, TOP + 12.0 + 22.0 * index as f64);
            let end = x + 24.0;
            add(format!("<path d=\"M{x} {y}H{end}\" stroke=\"{color}\" stroke-width=\"2\"/>"));
            add(mark(index, color, x + 12.0, y));
            add(text(end + 6.0, y + 4.5, "", &series.name));
        }
        svg + "</svg>\n"
    }
}

/// Circle, square, triangle, diamond, triangle upside down: by turns.
fn mark(index: usize, color: &str, x: f64, y: f64) -> String {
    let path = match index % 5 {
        0 => return format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.4\" fill=\"{color}\"/>"),
        1 => "m-3.2 -3.2h6.4v6.4h-6.4z",
        2 => "m0 -4.2l4.2 7.4h-8.4z",
        3 => "m0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z",
        _ => "m0 4.2l4.2 -7.4h-8.4z",
    };
    format!("<path d=\"M{x:.1} {y:.1}{path}\" fill=\"{color}\"/>")
}

/// A round number of an axis.
fn number(value: f64) -> String {
    let magnitude = value.abs();
    let rounded = format!("{value:.9e}").parse().unwrap_or(value);
    if magnitude >= 1e6 {
        format!("{}M", rounded / 1e6)
    } else if magnitude >= 1e4 {
        format!("{}k", rounded / 1e3)
    } else {
        format!("{rounded}")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_their_values_between_round_numbers() {
        for (values, ticks) in [
            (vec![0.0, 2.41], vec![0.0, 0.5, 1.0, 1.5, 2.0, 2.5]),
            (vec![3.0, 3.0], vec![0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]),
        ] {
            assert_eq!(Scale::over(false, values.into_iter()).ticks, ticks);
        }
        let scale = Scale::over(true, [1.3, 47.0, 0.0].into_iter());
        assert_eq!(scale.range, [1.0, 50.0]);
        assert_eq!(Scale::over(true, [1.0, 100.0].into_iter()).range, [1.0, 100.0]);
        assert_eq!(Scale::over(true, [7.0].into_iter()).range, [5.0, 10.0]);
        assert!((scale.place(50.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn words_are_escaped_and_nothing_is_not_drawn() {
        let axis = |label: &str| Axis { label: label.to_owned(), logarithmic: true };
        let series = Series { name: "a<b".to_owned(), points: vec![[1.0, 0.0], [2.0, 5.0]] };
        let chart = Chart { title: "p & q".to_owned(), axes: [axis("x"), axis("y")], series: vec![series] };
        let svg = chart.svg();
        assert!(svg.contains("p &amp; q") && svg.contains("a&lt;b") && !svg.contains("NaN"), "{svg}");
    }
}
