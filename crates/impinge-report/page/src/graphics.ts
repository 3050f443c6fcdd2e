// What draws: a graphics card, or a program that pretends to be one.

import type { WebGLRenderer } from "three";

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

/// Tells when what was drawn is complete, which the graphics card does not say by itself.
export function whenDrawn(renderer: WebGLRenderer, done: (now: number) => void): void {
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (!fence) return;
  gl.flush();
  const look = () => {
    if (gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) return void setTimeout(look, 5);
    gl.deleteSync(fence);
    done(performance.now());
  };
  setTimeout(look, 0);
}
