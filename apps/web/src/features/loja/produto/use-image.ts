import { IMAGEM_MAXIMO_BYTES } from '@balcao/contract/constants'
import { useEffect, useState } from 'react'

export const ACCEPTED_IMAGES = 'image/png,image/jpeg,image/webp'

const UNREADABLE_TEXT = 'Não foi possível abrir esta imagem. Escolha outra.'

function imageRefusal({ type, size }: File): string | null {
  if (!type.startsWith('image/')) return 'Apenas arquivos de imagem são permitidos'
  if (size > IMAGEM_MAXIMO_BYTES) return 'Imagem deve ter no máximo 5MB'
  if (size === 0) return UNREADABLE_TEXT
  return ACCEPTED_IMAGES.split(',').includes(type) ? null : 'Este formato de imagem não é aceito. Use PNG, JPG ou WEBP.'
}

interface NewImage {
  readonly file: File
  readonly url: string
}

export type ImageState = ReturnType<typeof useImage>

export function useImage(current: string | null) {
  const [fresh, setNova] = useState<NewImage | null>(null)
  const [tirada, setTirada] = useState(false)
  const [erro, setErro] = useState<string>()
  const provisoria = fresh?.url
  useEffect(() => {
    if (provisoria !== undefined) return () => URL.revokeObjectURL(provisoria)
  }, [provisoria])
  return {
    url: fresh?.url ?? (tirada ? null : current),
    erro,
    arquivo: fresh?.file ?? null,
    tirar: fresh === null && tirada && current !== null,
    alterada: fresh !== null || (tirada && current !== null),
    escolher: (arquivos: Iterable<File>): void => {
      const [arquivo] = arquivos
      if (arquivo === undefined) return
      const refusal = imageRefusal(arquivo)
      setErro(refusal ?? undefined)
      if (refusal === null) setNova({ file: arquivo, url: URL.createObjectURL(arquivo) })
    },
    remover: (): void => {
      setNova(null)
      setTirada(true)
      setErro(undefined)
    },
    /** The browser cannot decode the new image, so customers' phones could not either. */
    quebrar: (): void => {
      if (fresh === null) return
      setNova(null)
      setErro(UNREADABLE_TEXT)
    },
  }
}
