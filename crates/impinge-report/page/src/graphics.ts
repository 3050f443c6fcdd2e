// What draws: a graphics card, or a program that pretends to be one.

/// Whether there is no graphics card. `?graphics=card` in the address says that there is one, for tests.
export function isSoftware(): boolean {
  if (new URLSearchParams(location.search).get("graphics") === "card") return false;
  const probe = document.createElement("canvas").getContext("webgl2");
  if (!probe) return false;
  const info = probe.getExtension("WEBGL_debug_renderer_info");
  const name = String(probe.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : probe.RENDERER));
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
