import { encode } from 'uqr'

/** Quiet zone: QR scanners need 4 light modules. */
const MARGIN = 4

/** Draws the code as one path, one subpath per run of dark modules. The border is part of the coordinates. */
function qrPath(text: string): { lado: number; d: string } {
  const { data, size } = encode(text, { ecc: 'L', border: MARGIN })
  let d = ''
  for (let y = 0; y < size; y++) {
    let start = -1
    for (let x = 0; x <= size; x++) {
      const dark = x < size && data[y]?.[x] === true
      if (dark && start < 0) start = x
      if (!dark && start >= 0) {
        d += `M${start} ${y}h${x - start}v1h${start - x}z`
        start = -1
      }
    }
  }
  return { lado: size, d }
}

/** Always dark on white, also in the dark theme: phones cannot scan inverted codes. */
export function QrSvg({ texto, className }: { texto: string; className?: string }) {
  if (texto.startsWith('data:image/')) return <img src={texto} alt="QR Code" className={className} />
  const { lado, d } = qrPath(texto)
  return (
    <svg
      role="img"
      aria-label="QR Code"
      viewBox={`0 0 ${lado} ${lado}`}
      className={className}
      shapeRendering="crispEdges"
      style={{ background: '#fff', forcedColorAdjust: 'none' }}
    >
      <path d={d} fill="#000" />
    </svg>
  )
}
