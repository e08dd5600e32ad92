export async function makePng(name = 'bolo.png', width = 40, height = 30): Promise<File> {
  const tela = document.createElement('canvas')
  tela.width = width
  tela.height = height
  const pincel = tela.getContext('2d')
  if (pincel === null) throw new Error('canvas without 2d context')
  pincel.fillStyle = 'darkseagreen'
  pincel.fillRect(0, 0, width, height)
  const blob = await new Promise<Blob | null>((resolve) => tela.toBlob(resolve, 'image/png'))
  if (blob === null) throw new Error('canvas gave no PNG')
  return new File([blob], name, { type: 'image/png' })
}

const SAMPLES_PER_SECOND = 8_000

export function makeWav(seconds = 2, name = 'recado.wav'): File {
  const amostras = seconds * SAMPLES_PER_SECOND
  const dados = new DataView(new ArrayBuffer(44 + amostras))
  const escrever = (em: number, texto: string): void => {
    for (const [indice, letra] of [...texto].entries()) dados.setUint8(em + indice, letra.charCodeAt(0))
  }
  escrever(0, 'RIFF')
  dados.setUint32(4, 36 + amostras, true)
  escrever(8, 'WAVEfmt ')
  dados.setUint32(16, 16, true)
  dados.setUint16(20, 1, true)
  dados.setUint16(22, 1, true)
  dados.setUint32(24, SAMPLES_PER_SECOND, true)
  dados.setUint32(28, SAMPLES_PER_SECOND, true)
  dados.setUint16(32, 1, true)
  dados.setUint16(34, 8, true)
  escrever(36, 'data')
  dados.setUint32(40, amostras, true)
  for (let indice = 0; indice < amostras; indice += 1) dados.setUint8(44 + indice, 128)
  return new File([dados.buffer], name, { type: 'audio/wav' })
}
