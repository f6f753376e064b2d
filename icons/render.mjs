// Renders the icons from their SVG sources: `npm install --no-save @resvg/resvg-js && node icons/render.mjs`.
//
// PNG for every size, ICO for Windows and ICNS for macOS (both are containers of PNG files), and the tray icon in one colour
// for each state, black for light panels (and as macOS template image), white for dark ones, and white with a dark rim for any.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Resvg } from "@resvg/resvg-js";

const here = new URL("./", import.meta.url);
const source = (name) => readFileSync(new URL(name, here), "utf8");
const write = (name, data) => writeFileSync(new URL(name, here), data);

/** Up to 32 pixels the drawing with fewer lines is used. */
const png = (size) => render(source(size <= 32 ? "icon-small.svg" : "icon.svg"), size);
const render = (svg, size) => new Resvg(svg, { fitTo: { mode: "width", value: size } }).render().asPng();

write("32x32.png", png(32));
write("64x64.png", png(64));
write("128x128.png", png(128));
write("128x128@2x.png", png(256));
write("icon.png", png(512));
write("icon.ico", ico([16, 24, 32, 48, 64, 256]));
write("icon.icns", icns({ icp4: 16, icp5: 32, ic07: 128, ic08: 256, ic09: 512, ic10: 1024, ic11: 32, ic12: 64, ic13: 256, ic14: 512 }));

mkdirSync(new URL("tray/", here), { recursive: true });
for (const state of ["watching", "reflecting", "review", "paused", "error"]) {
  for (const [tone, colour] of [["light", "#000"], ["dark", "#fff"]]) {
    write(`tray/${state}-${tone}.png`, render(tray(state, colour), 64));
  }
  write(`tray/${state}-any.png`, render(rimmed(tray(state, "#fff")), 64));
}

/** The drawing with a dark rim, to be seen on any colour. */
function rimmed(drawing) {
  const inside = drawing.replace(/^<svg[^>]*>|<\/svg>$/g, "");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <filter id="rim" filterUnits="userSpaceOnUse" x="0" y="0" width="32" height="32">
      <feMorphology in="SourceAlpha" operator="dilate" radius="1.5" result="wide"/>
      <feFlood flood-color="#202020" flood-opacity="0.85"/>
      <feComposite in2="wide" operator="in" result="rim"/>
      <feMerge><feMergeNode in="rim"/><feMergeNode in="SourceGraphic"/></feMerge>
    </filter>
    <g filter="url(#rim)">${inside}</g></svg>`;
}

/** Keeps the mark of one state; what is white in it is cut out of what lies below. */
function tray(state, colour) {
  const drawing = source("tray.svg");
  const groups = [...drawing.matchAll(/<g id="(\w+)" fill="#000">(.*?)<\/g>/gs)];
  const shapes = groups.find(([, id]) => id === state)?.[2] ?? "";
  const holes = [...shapes.matchAll(/<[^>]*fill="#fff"[^>]*>/g)].map(([shape]) => shape.replace("#fff", "#000")).join("");
  const marks = shapes.replace(/<[^>]*fill="#fff"[^>]*>/g, "");
  const base = groups.reduce((text, [whole]) => text.replace(whole, ""), drawing).replace(/<\/?svg[^>]*>|<title>.*?<\/title>/gs, "");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <mask id="cut"><rect width="32" height="32" fill="#fff"/>${holes}</mask>
    <g mask="url(#cut)">${base}</g><g fill="#000">${marks}</g></svg>`.replaceAll(/(fill|stroke)="#000"(?=[^<]*>)/g, (all, what, at, text) =>
    text.lastIndexOf("<mask", at) > text.lastIndexOf("</mask>", at) ? all : `${what}="${colour}"`);
}

/** https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10): a directory, then the images. */
function ico(sizes) {
  const images = sizes.map(png);
  const head = Buffer.alloc(6 + 16 * sizes.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sizes.length, 4);
  let offset = head.length;
  images.forEach((image, index) => {
    const at = 6 + 16 * index;
    head.writeUInt8(sizes[index] % 256, at);
    head.writeUInt8(sizes[index] % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(image.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += image.length;
  });
  return Buffer.concat([head, ...images]);
}

/** A magic word and a length, then images, each with its type and length. */
function icns(types) {
  const parts = Object.entries(types).map(([type, size]) => {
    const image = png(size);
    const head = Buffer.alloc(8);
    head.write(type, 0, "latin1");
    head.writeUInt32BE(image.length + 8, 4);
    return Buffer.concat([head, image]);
  });
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write("icns", 0, "latin1");
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}
