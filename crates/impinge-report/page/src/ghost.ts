// Parts that are not looked at: a veil that is denser where a surface turns away, so that shapes are seen and what is behind them,
// too. What stands between the eye and what it looks at is left out.

import { DoubleSide, type IUniform, MeshLambertMaterial } from "three";

/// How far what is looked at is from the eye. All veils share it.
export const focusDistance: IUniform<number> = { value: 1 };

function veil(material: MeshLambertMaterial, ending: string, tinted: boolean): MeshLambertMaterial {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.focusDistance = focusDistance;
    const body = tinted ? shader.fragmentShader : shader.fragmentShader.replace("#include <color_fragment>", "");
    shader.fragmentShader =
      "uniform float focusDistance;\n" +
      body.replace(
        "#include <opaque_fragment>",
        `float facing = abs(dot(normalize(normal), normalize(vViewPosition)));
         float presence = smoothstep(0.35, 0.9, length(vViewPosition) / focusDistance);
         ${ending}
         #include <opaque_fragment>`,
      );
  };
  // By itself three.js takes programs made by the same lines for the same.
  material.customProgramCacheKey = () => `veil ${tinted} ${ending}`;
  return material;
}

/// With `tinted` each instance has the color that it was given, else all have the material's.
export function ghostMaterial(tinted = false): MeshLambertMaterial {
  const material = new MeshLambertMaterial({
    flatShading: true,
    side: DoubleSide,
    transparent: true,
    depthWrite: false,
  });
  return veil(material, "diffuseColor.a *= presence * (0.07 + 0.36 * (1.0 - facing) * (1.0 - facing));", tinted);
}

/// Only the depth of the veil, so that it is one layer thick however many parts stand behind each other.
export function depthMaterial(): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ flatShading: true, side: DoubleSide, colorWrite: false });
  return veil(material, "if (presence < 0.5) discard;", false);
}
