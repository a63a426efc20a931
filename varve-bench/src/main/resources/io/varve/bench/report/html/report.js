"use strict";
// Draws the charts of each section from its table of figures. What is drawn follows from the figures:
// - one engine alone: a chart for each metric, a bar for each case;
// - cases that differ in the number at their end alone, eight or more: a line for each engine over that;
// - a case with three numbers of threads or more: a line for each engine over those;
// - any other case: a bar for each engine, the best one first.
(() => {
  const LINE_POINTS_MIN = 3;
  const SERIES_POINTS_MIN = 8;
  const LOG_SPAN_MIN = 30;
  const BAR_PIXELS = 24;
  const LABEL_CHARS_MAX = 22;
  const LEGEND_CHARS_MAX = 60;
  // Distinguished by colour-blind eyes too (after Okabe and Ito), and by their dashes.
  const PALETTE = ["#d55e00", "#0072b2", "#cc79a7", "#8c6bb1", "#4d7c0f", "#56a0d3", "#b0413e", "#737373"];
  const DASHES = { peer: [[], [6, 3]], yardstick: [[2, 2]], published: [[3, 4]] };
  const charts = [];
  const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const short = value => {
    const size = Math.abs(value);
    for (const [limit, unit] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
      if (size >= limit) {
        const scaled = value / (unit === "k" ? 1e3 : limit);
        return Number(scaled.toPrecision(3)) + unit;
      }
    }
    return size >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
  };

  const read = section => [...section.querySelectorAll("tbody tr")].map(tr => {
    const text = i => tr.cells[i].textContent;
    return {
      name: text(0), threads: Number(text(1)), engine: text(2), metric: text(3), unit: text(5),
      value: Number(tr.dataset.value), kind: tr.dataset.kind, more: tr.dataset.better === "more",
    };
  });

  const groups = (rows, key) => {
    const map = new Map();
    rows.forEach(row => map.set(key(row), [...(map.get(key(row)) || []), row]));
    return [...map.values()];
  };
  const distinct = (rows, key) => [...new Set(rows.map(key))];
  const best = rows => [...rows].sort((a, b) => a.more ? b.value - a.value : a.value - b.value);
  const threads = count => count === 1 ? "1 thread" : count.toLocaleString("en") + " threads";

  /// A logarithmic axis where figures span decades. One from zero elsewhere: bars say sizes.
  const scale = rows => {
    const values = rows.map(row => row.value).filter(value => value > 0);
    const [min, max] = [Math.min(...values), Math.max(...values)];
    return values.length === rows.length && max / min >= LOG_SPAN_MIN
      ? { type: "logarithmic", min: 10 ** Math.floor(Math.log10(min) - 1e-9), max: 10 ** Math.ceil(Math.log10(max) + 0.05) }
      : { type: "linear", beginAtZero: true, grace: "14%" };
  };
  const axis = (rows, title) => ({
    ...scale(rows),
    title: { display: true, text: title, color: style("--soft"), font: { size: 11 } },
    grid: { color: style("--line"), drawTicks: false },
    border: { display: false },
    ticks: {
      color: style("--soft"), font: { size: 11 }, maxTicksLimit: 6, maxRotation: 0,
      callback(value) {
        const decade = Math.abs(Math.log10(value) % 1) < 1e-6;
        return this.type !== "logarithmic" || decade ? short(value) : null;
      },
    },
  });
  const unit = row => row.metric + ", " + row.unit + " (" + (row.more ? "more" : "less") + " is better)";

  /// The figure at the end of each bar.
  const figures = {
    id: "figures",
    afterDatasetsDraw(chart) {
      const { ctx } = chart;
      ctx.save();
      ctx.font = "11px " + Chart.defaults.font.family;
      ctx.fillStyle = style("--ink");
      ctx.textBaseline = "middle";
      chart.getDatasetMeta(0).data.forEach((bar, i) =>
        ctx.fillText(short(chart.data.datasets[0].data[i]), bar.x + 5, bar.y));
      ctx.restore();
    },
  };

  const card = (section, heading, subtitle, summary, height, config) => {
    const figure = document.createElement("figure");
    const title = document.createElement("h3");
    const line = document.createElement("p");
    const plot = document.createElement("div");
    const canvas = document.createElement("canvas");
    title.textContent = heading;
    line.className = "unit";
    line.textContent = subtitle;
    plot.className = "plot";
    plot.style.height = height + "px";
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", heading + ": " + summary);
    plot.append(canvas);
    figure.append(title, line, plot);
    section.querySelector(".charts").append(figure);
    charts.push(new Chart(canvas, config));
  };

  const common = () => ({
    responsive: true, maintainAspectRatio: false, animation: false,
    devicePixelRatio: Math.max(2, window.devicePixelRatio || 1),
  });
  /// A label in lines that fit next to a bar.
  const wrapped = text => text.split(" ").reduce((all, word) => {
    const last = all[all.length - 1];
    const fits = last && last.length + word.length < LABEL_CHARS_MAX;
    return fits ? [...all.slice(0, -1), last + " " + word] : [...all, word];
  }, []);

  const bars = (section, heading, rows, name) => {
    const sorted = best(rows);
    const subject = section.dataset.subject;
    const colour = row => row.kind === "subject"
      ? style(row.engine === subject ? "--subject" : "--subject-2") : style("--" + row.kind);
    const published = row => row.kind === "published";
    card(section, heading, unit(rows[0]),
      sorted.map(row => name(row) + " " + short(row.value) + " " + row.unit).join(", "),
      58 + sorted.reduce((pixels, row) => pixels + BAR_PIXELS + 10 * (wrapped(name(row)).length - 1), 0),
      {
        type: "bar",
        data: {
          labels: sorted.map(row => wrapped(name(row))),
          datasets: [{
            data: sorted.map(row => row.value),
            backgroundColor: sorted.map(row => published(row) ? "transparent" : colour(row)),
            borderColor: sorted.map(colour),
            borderWidth: sorted.map(row => published(row) ? 2 : 0),
            borderRadius: 3, barPercentage: 0.8, categoryPercentage: 0.95, minBarLength: 2,
          }],
        },
        options: {
          ...common(), indexAxis: "y", layout: { padding: { right: 44 } },
          scales: {
            x: axis(rows, rows[0].unit),
            y: {
              grid: { display: false }, border: { display: false },
              ticks: {
                autoSkip: false, font: c => ({ size: 12, weight: sorted[c.index] && sorted[c.index].engine === subject ? 700 : 400 }),
                color: c => style(sorted[c.index] && sorted[c.index].kind === "subject" ? "--ink" : "--soft"),
              },
            },
          },
          plugins: {
            legend: { display: false },
            tooltip: { callbacks: { label: item => item.raw.toLocaleString("en") + " " + rows[0].unit } },
          },
        },
        plugins: [figures],
      });
  };

  const engineColours = new Map();
  const lineColour = (row, subject) => {
    if (row.engine === subject) return style("--subject");
    if (row.kind === "published") return style("--published");
    if (row.kind === "yardstick") return style("--yardstick");
    return PALETTE[colourIndex(row) % PALETTE.length];
  };
  const colourIndex = row => {
    if (!engineColours.has(row.engine)) engineColours.set(row.engine, engineColours.size);
    return engineColours.get(row.engine);
  };
  const dash = (row, subject) => {
    if (row.engine === subject) return [];
    const dashes = DASHES[row.kind] || DASHES.peer;
    return dashes[row.kind === "peer" ? colourIndex(row) % dashes.length : 0];
  };

  /// @param at where on the axis a row belongs
  const lines = (section, heading, rows, at, axisTitle) => {
    const subject = section.dataset.subject;
    const counts = distinct(rows, at).sort((a, b) => a - b);
    // Limits of the device are one line, whatever number of streams gave them.
    const key = row => row.kind === "yardstick" ? row.engine.replace(/ x\d+$/, "") : row.engine;
    const last = series => series[series.length - 1];
    const series = groups(rows, key).map(each => each.sort((a, b) => at(a) - at(b)));
    const rank = best(series.map(last));
    series.sort((a, b) => rank.indexOf(last(a)) - rank.indexOf(last(b)));
    card(section, heading, unit(rows[0]),
      series.map(each => key(each[0]) + " " + short(last(each).value) + " " + rows[0].unit
        + " at " + axisTitle + " " + at(last(each))).join(", "),
      270 + 18 * Math.ceil(series.reduce((chars, each) => chars + key(each[0]).length + 6, 0) / LEGEND_CHARS_MAX),
      {
        type: "line",
        data: {
          labels: counts.map(count => count.toLocaleString("en")),
          datasets: series.map(each => ({
            label: key(each[0]),
            data: counts.map(count => {
              const point = each.find(row => at(row) === count);
              return point ? point.value : null;
            }),
            borderColor: lineColour(each[0], subject), backgroundColor: lineColour(each[0], subject),
            borderWidth: each[0].engine === subject ? 3.5 : 1.75,
            borderDash: dash(each[0], subject),
            pointRadius: counts.length > 20 ? 0 : each[0].engine === subject ? 4 : 3,
            pointStyle: each[0].kind === "published" ? "rectRot" : "circle",
            spanGaps: true, tension: 0.15, order: each[0].engine === subject ? 0 : 1,
          })),
        },
        options: {
          ...common(), interaction: { mode: "index", intersect: false },
          scales: {
            x: {
              grid: { display: false },
              title: { display: true, text: axisTitle, color: style("--soft"), font: { size: 11 } },
              ticks: { color: style("--soft"), maxTicksLimit: 10, maxRotation: 0 },
            },
            y: axis(rows, rows[0].unit),
          },
          plugins: {
            legend: {
              position: "bottom",
              labels: { color: style("--ink"), boxWidth: 22, boxHeight: 2, font: { size: 11 }, sort: (a, b) => a.datasetIndex - b.datasetIndex },
            },
            tooltip: { callbacks: { label: item => item.dataset.label + ": " + item.raw.toLocaleString("en") + " " + rows[0].unit } },
          },
        },
      });
  };

  const draw = () => {
    charts.splice(0).forEach(chart => chart.destroy());
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    document.querySelectorAll("section").forEach(section => {
      section.querySelector(".charts").replaceChildren();
      const rows = read(section);
      if (distinct(rows.filter(row => row.kind !== "published"), row => row.engine).length === 1) {
        groups(rows, row => row.metric + row.unit).forEach(group =>
          bars(section, group[0].metric, group,
            row => row.name + (distinct(rows, r => r.threads).length > 1 ? ", " + threads(row.threads) : "")));
        return;
      }
      const single = distinct(rows, row => row.metric).length === 1;
      const title = (name, row) => single ? name : name + " \u00b7 " + row.metric;
      const stem = row => row.name.replace(/ \d+$/, "");
      const number = row => Number((/ (\d+)$/.exec(row.name) || [])[1]);
      const numbers = new Map(groups(rows, stem).map(group =>
        [stem(group[0]), distinct(group.filter(row => stem(row) !== row.name), number).length]));
      const isSeries = row => stem(row) !== row.name && numbers.get(stem(row)) >= SERIES_POINTS_MIN;
      const family = row => isSeries(row) ? stem(row) + "\n" + row.threads : row.name;
      groups(rows, row => family(row) + "\n" + row.metric).forEach(group => {
        if (isSeries(group[0])) {
          const words = stem(group[0]).split(" ");
          lines(section, title(words.slice(0, -1).join(" "), group[0]), group, number, words[words.length - 1]);
          return;
        }
        const measured = group.filter(row => row.kind === "subject" || row.kind === "peer");
        if (distinct(measured, row => row.threads).length >= LINE_POINTS_MIN) {
          lines(section, title(group[0].name, group[0]), group, row => row.threads, "threads");
          return;
        }
        const several = distinct(rows, row => row.threads).length > 1;
        groups(group, row => row.threads).forEach(one =>
          bars(section, title(one[0].name + (several ? ", " + threads(one[0].threads) : ""), one[0]), one,
            row => row.engine));
      });
    });
  };

  draw();
  // The charts have moved what the address names.
  const target = document.getElementById(location.hash.slice(1));
  if (target) target.scrollIntoView();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  matchMedia("print").addEventListener("change", draw);
})();
