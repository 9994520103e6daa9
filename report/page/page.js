"use strict";
// Values under the pointer. Everything else on the page works without a script. Curves are read
// back from the drawing: x and y are linear, and the scale is in data-x and data-y.
(function () {
  var scale = function (text) {
    var n = text.split(" ").map(Number);
    return function (px) { return n[2] + (px - n[0]) / (n[1] - n[0]) * (n[3] - n[2]); };
  };
  var points = function (path) {
    return path.getAttribute("d").slice(1).split("L").map(function (p) { return p.split(",").map(Number); });
  };
  // at finds the curve's height at x, or null where it has none.
  var at = function (curve, x) {
    if (curve[0][0] - 0.6 > x) return null;
    for (var i = 1; curve.length > i; i++) {
      var a = curve[i - 1], b = curve[i];
      if (b[0] >= x) return b[0] === a[0] ? b[1] : a[1] + (x - a[0]) / (b[0] - a[0]) * (b[1] - a[1]);
    }
    var end = curve[curve.length - 1];
    return end[0] + 0.6 > x ? end[1] : null;
  };
  var size = function (bytes) {
    return bytes >= 1e9 ? (bytes / 1e9).toFixed(2) + " GB" : (bytes / 1e6).toFixed(1) + " MB";
  };
  var follow = function (svg) {
    var figure = svg.closest("figure"), x = svg.dataset.x.split(" ").map(Number);
    var frame = scale(svg.dataset.x), value = scale(svg.dataset.y), y = svg.dataset.y.split(" ").map(Number);
    var curves = Array.from(svg.querySelectorAll(".curve")).map(function (p) {
      return { name: p.dataset.name, points: points(p) };
    });
    var cross = document.createElementNS(svg.namespaceURI, "line");
    cross.setAttribute("class", "cross");
    cross.setAttribute("y1", y[0]);
    cross.setAttribute("y2", y[1]);
    cross.setAttribute("visibility", "hidden");
    svg.append(cross);
    var tip = document.createElement("div");
    tip.className = "tip";
    tip.hidden = true;
    figure.append(tip);
    var leave = function () {
      tip.hidden = true;
      cross.setAttribute("visibility", "hidden");
    };
    var show = function (event) {
      var box = svg.getBoundingClientRect(), unit = svg.viewBox.baseVal.width / box.width;
      var px = (event.clientX - box.left) * unit;
      if (x[0] > px || px > x[1]) return leave();
      cross.setAttribute("x1", px);
      cross.setAttribute("x2", px);
      cross.setAttribute("visibility", "visible");
      var head = document.createElement("b");
      head.textContent = svg.dataset.unit === "s" ? frame(px).toFixed(1) + " s" : "frame " + Math.round(frame(px)).toLocaleString("en");
      tip.replaceChildren(head);
      curves.forEach(function (c) {
        var py = at(c.points, px);
        if (py === null) return;
        var row = document.createElement("div");
        row.textContent = c.name + ": " + size(value(py));
        tip.append(row);
      });
      tip.hidden = false;
      var outer = figure.getBoundingClientRect(), left = event.clientX - outer.left + 14;
      if (left + tip.offsetWidth > outer.width) left = Math.max(0, event.clientX - outer.left - 14 - tip.offsetWidth);
      tip.style.left = left + "px";
      tip.style.top = box.top - outer.top + 40 + "px";
    };
    svg.addEventListener("pointermove", show);
    svg.addEventListener("pointerdown", show);
    svg.addEventListener("pointerleave", leave);
  };
  document.querySelectorAll("svg.usage").forEach(follow);
  document.documentElement.dataset.ready = "yes";
})();
