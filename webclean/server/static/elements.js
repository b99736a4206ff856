// Building elements. Text is set as text, never as markup: pages of strangers come through here.

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export const ROLE_COLOURS = {
  content: "#1a7f37", index: "#0969da", links: "#218bff", related: "#8250df", navigation: "#bc4c00", header: "#9a6700",
  footer: "#6e7781", sidebar: "#bf3989", advertisement: "#cf222e", form: "#7d4e00", comments: "#1b7c83",
  media: "#4d2d00", table: "#2da44e", title: "#116329", metadata: "#57606a", other: "#8c959f",
};
