import { IMAGEM_MAXIMO_BYTES } from '@balcao/contract/constants'
import { useEffect, useState } from 'react'

/** What the picker offers. The server looks at the bytes; a browser only at names. */
export const ACEITAS = 'image/png,image/jpeg,image/webp'

const NAO_ABRE = 'Não foi possível abrir esta imagem. Escolha outra.'

/** Why a picture need not even be sent, in words (spec §5); null when the server may look at it. */
function recusaDe({ type, size }: File): string | null {
  if (!type.startsWith('image/')) return 'Apenas arquivos de imagem são permitidos'
  if (size > IMAGEM_MAXIMO_BYTES) return 'Imagem deve ter no máximo 5MB'
  if (size === 0) return NAO_ABRE
  return ACEITAS.split(',').includes(type) ? null : 'Este formato de imagem não é aceito. Use PNG, JPG ou WEBP.'
}

interface Nova {
  readonly arquivo: File
  /** For the screen, until the server has it. */
  readonly url: string
}

export type Imagem = ReturnType<typeof useImagem>

/** The product's picture being chosen: the one it has, a new one in its place, or none. */
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
    /** To be sent; null when none was chosen. */
    arquivo: nova?.arquivo ?? null,
    /** The product had one and is to have none. */
    tirar: nova === null && tirada && atual !== null,
    alterada: nova !== null || (tirada && atual !== null),
    /** The first of what was picked, pasted or dropped. */
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
    /** The browser cannot draw the new one: neither will the customers' phones. */
    quebrar: (): void => {
      if (nova === null) return
      setNova(null)
      setErro(NAO_ABRE)
    },
  }
}
