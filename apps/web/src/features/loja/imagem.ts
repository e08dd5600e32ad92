import { IMAGEM_MAXIMO_BYTES } from '@balcao/contract/constants'
import { useEffect, useState } from 'react'

export const ACEITAS = 'image/png,image/jpeg,image/webp'

const NAO_ABRE = 'Não foi possível abrir esta imagem. Escolha outra.'

function recusaDe({ type, size }: File): string | null {
  if (!type.startsWith('image/')) return 'Apenas arquivos de imagem são permitidos'
  if (size > IMAGEM_MAXIMO_BYTES) return 'Imagem deve ter no máximo 5MB'
  if (size === 0) return NAO_ABRE
  return ACEITAS.split(',').includes(type) ? null : 'Este formato de imagem não é aceito. Use PNG, JPG ou WEBP.'
}

interface Nova {
  readonly arquivo: File
  readonly url: string
}

export type Imagem = ReturnType<typeof useImagem>

export function useImagem(atual: string | null) {
  const [nova, setNova] = useState<Nova | null>(null)
  const [tirada, setTirada] = useState(false)
  const [erro, setErro] = useState<string>()
  const provisoria = nova?.url
  useEffect(() => {
    if (provisoria !== undefined) return () => URL.revokeObjectURL(provisoria)
  }, [provisoria])
  return {
    url: nova?.url ?? (tirada ? null : atual),
    erro,
    arquivo: nova?.arquivo ?? null,
    tirar: nova === null && tirada && atual !== null,
    alterada: nova !== null || (tirada && atual !== null),
    escolher: (arquivos: Iterable<File>): void => {
      const [arquivo] = arquivos
      if (arquivo === undefined) return
      const recusa = recusaDe(arquivo)
      setErro(recusa ?? undefined)
      if (recusa === null) setNova({ arquivo, url: URL.createObjectURL(arquivo) })
    },
    remover: (): void => {
      setNova(null)
      setTirada(true)
      setErro(undefined)
    },
    /** The browser cannot decode the new image, so customers' phones could not either. */
    quebrar: (): void => {
      if (nova === null) return
      setNova(null)
      setErro(NAO_ABRE)
    },
  }
}
