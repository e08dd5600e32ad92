export async function makePng(name = 'bolo.png', width = 40, height = 30): Promise<File> {
  const screen = document.createElement('canvas')
  screen.width = width
  screen.height = height
  const brush = screen.getContext('2d')
  if (brush === null) throw new Error('canvas without 2d context')
  brush.fillStyle = 'darkseagreen'
  brush.fillRect(0, 0, width, height)
  const blob = await new Promise<Blob | null>((resolve) => screen.toBlob(resolve, 'image/png'))
  if (blob === null) throw new Error('canvas gave no PNG')
  return new File([blob], name, { type: 'image/png' })
}

const SAMPLES_PER_SECOND = 8_000

export function makeWav(seconds = 2, name = 'recado.wav'): File {
  const samples = seconds * SAMPLES_PER_SECOND
  const data = new DataView(new ArrayBuffer(44 + samples))
  const write = (em: number, text: string): void => {
    for (const [index, letter] of [...text].entries()) data.setUint8(em + index, letter.charCodeAt(0))
  }
  write(0, 'RIFF')
  data.setUint32(4, 36 + samples, true)
  write(8, 'WAVEfmt ')
  data.setUint32(16, 16, true)
  data.setUint16(20, 1, true)
  data.setUint16(22, 1, true)
  data.setUint32(24, SAMPLES_PER_SECOND, true)
  data.setUint32(28, SAMPLES_PER_SECOND, true)
  data.setUint16(32, 1, true)
  data.setUint16(34, 8, true)
  write(36, 'data')
  data.setUint32(40, samples, true)
  for (let index = 0; index < samples; index += 1) data.setUint8(44 + index, 128)
  return new File([data.buffer], name, { type: 'audio/wav' })
}
