export async function umaImagem(nome = 'bolo.png', largura = 40, altura = 30): Promise<File> {
  const tela = document.createElement('canvas')
  tela.width = largura
  tela.height = altura
  const pincel = tela.getContext('2d')
  if (pincel === null) throw new Error('canvas without 2d context')
  pincel.fillStyle = 'darkseagreen'
  pincel.fillRect(0, 0, largura, altura)
  const blob = await new Promise<Blob | null>((resolve) => tela.toBlob(resolve, 'image/png'))
  if (blob === null) throw new Error('canvas gave no PNG')
  return new File([blob], nome, { type: 'image/png' })
}

const AMOSTRAS_POR_SEGUNDO = 8_000

export function umAudio(segundos = 2, nome = 'recado.wav'): File {
  const amostras = segundos * AMOSTRAS_POR_SEGUNDO
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
  dados.setUint32(24, AMOSTRAS_POR_SEGUNDO, true)
  dados.setUint32(28, AMOSTRAS_POR_SEGUNDO, true)
  dados.setUint16(32, 1, true)
  dados.setUint16(34, 8, true)
  escrever(36, 'data')
  dados.setUint32(40, amostras, true)
  for (let indice = 0; indice < amostras; indice += 1) dados.setUint8(44 + indice, 128)
  return new File([dados.buffer], nome, { type: 'audio/wav' })
}
