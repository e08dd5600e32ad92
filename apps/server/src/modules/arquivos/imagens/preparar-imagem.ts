import { AppError } from '#errors.ts'
import { type Abrir, carregarSharp, PIXELS_MAXIMO } from './sharp.ts'
import { createVagas } from './vagas.ts'

const LADO_MAXIMO = 1_600
const LADO_MINI = 320
const ILEGIVEL = 'Não foi possível ler esta imagem. Salve-a de novo em PNG, JPG ou WEBP e tente outra vez.'
const ENORME = 'Esta imagem tem pontos demais. Use uma de até 24 megapixels.'

/** Memory for decoding depends on the number of pixels, so the file size limit alone does not bound it. */
const decodificar = createVagas({ vagas: 2, espera: 16 })

export interface ImagemPronta {
  readonly imagem: Buffer
  readonly mini: Buffer
}

/**
 * Re-encodes a picture as WebP, rotated upright, at most 1,600 pixels a side, and a small version of 320 pixels.
 * Re-encoding removes metadata and data hidden behind the pixels. Throws `imagemInvalida`, `imagemGrande`,
 * `servidorOcupado`.
 */
export async function prepararImagem(bytes: Uint8Array): Promise<ImagemPronta> {
  const abrir = await carregarSharp()
  return decodificar(async () => {
    await conferirMedidas(abrir, bytes)
    const imagem = await redesenhar(() =>
      abrir(bytes)
        .autoOrient()
        .resize({ width: LADO_MAXIMO, height: LADO_MAXIMO, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 82 })
        .toBuffer(),
    )
    const mini = await redesenhar(() =>
      abrir(imagem)
        .resize({ width: LADO_MINI, height: LADO_MINI, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 75 })
        .toBuffer(),
    )
    return { imagem, mini }
  })
}

/** Converts a picture to JPEG on white. Messaging services show WebP as a sticker or not at all. */
export async function paraJpeg(bytes: Uint8Array): Promise<Buffer> {
  const abrir = await carregarSharp()
  return decodificar(async () => {
    await conferirMedidas(abrir, bytes)
    return redesenhar(() =>
      abrir(bytes).flatten({ background: '#fff' }).jpeg({ quality: 85, mozjpeg: true }).toBuffer(),
    )
  })
}

/** Reads only the header, so a picture with too many pixels is refused before decoding. */
async function conferirMedidas(abrir: Abrir, bytes: Uint8Array): Promise<void> {
  const { width, height } = await abrir(bytes)
    .metadata()
    .catch((error: unknown) => recusar(error))
  if (width * height > PIXELS_MAXIMO) throw new AppError('imagemGrande', { erro: ENORME })
}

function redesenhar(fazer: () => Promise<Buffer>): Promise<Buffer> {
  return fazer().catch((error: unknown) => recusar(error))
}

function recusar(error: unknown): never {
  if (error instanceof Error && error.message.includes('exceeds pixel limit')) {
    throw new AppError('imagemGrande', { erro: ENORME })
  }
  // A picture within the limits exceeds the timeout only on an overloaded server, so a later attempt can succeed.
  if (error instanceof Error && error.message.includes('timeout: ')) throw new AppError('servidorOcupado')
  throw new AppError('imagemInvalida', { erro: ILEGIVEL })
}
