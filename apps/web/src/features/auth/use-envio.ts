import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar, dispensarAviso } from '#shared/avisos.ts'

export interface Recusa {
  /** Null: the whole form. */
  readonly campo: string | null
  readonly mensagem: string
  readonly codigo: string
  readonly tentarEmS?: number | undefined
}

export interface Envio {
  readonly recusa: Recusa | null
  readonly ocupado: boolean
  readonly onSubmit: (evento: FormEvent<HTMLFormElement>) => void
  readonly erroDe: (campo: string) => string | undefined
}

/**
 * Submits a form, keeps the input after an error and focuses the wrong field, or the given one for a form error.
 * A field error also shows a toast. A form error has its own alert.
 * Uses plain state: a pending React action blocks all transitions, so a slow server would block links.
 */
export function useEnvio(enviar: (dados: FormData) => Promise<Recusa | null>, foco: string): Envio {
  const formulario = useRef<HTMLFormElement>(null)
  const [recusa, setRecusa] = useState<Recusa | null>(null)
  const [ocupado, setOcupado] = useState(false)
  useEffect(() => {
    if (recusa === null) return
    const campo = formulario.current?.elements.namedItem(recusa.campo ?? foco)
    if (campo instanceof HTMLInputElement) campo.focus()
  }, [recusa, foco])
  const aviso = useRef<string>(null)
  const send = async (dados: FormData): Promise<void> => {
    setOcupado(true)
    if (aviso.current !== null) dispensarAviso(aviso.current)
    try {
      const nova = await enviar(dados)
      aviso.current = nova === null || nova.campo === null ? null : avisar.erro(nova.mensagem)
      setRecusa(nova)
    } finally {
      setOcupado(false)
    }
  }
  return {
    recusa,
    ocupado,
    onSubmit: (evento) => {
      evento.preventDefault()
      formulario.current = evento.currentTarget
      if (!ocupado) void send(new FormData(evento.currentTarget))
    },
    erroDe: (campo) => (recusa?.campo === campo ? recusa.mensagem : undefined),
  }
}

export function recusar(campo: string, mensagem: string): Recusa {
  return { campo, mensagem, codigo: 'campo' }
}

/**
 * Converts an `ApiError` to a refusal and rethrows others. The default text is used if the server gave none.
 * Only errors of the given fields count as field errors.
 */
export function recusaDe(erro: unknown, padrao: string, campos: readonly string[] = []): Recusa {
  if (!(erro instanceof ApiError)) throw erro
  const detalhe = erro.dados.detalhes?.find(({ caminho }) => campos.includes(caminho))
  if (detalhe !== undefined) return { campo: detalhe.caminho, mensagem: detalhe.mensagem, codigo: erro.codigo }
  return {
    campo: null,
    mensagem: erro.codigo === 'desconhecido' ? padrao : erro.message,
    codigo: erro.codigo,
    tentarEmS: erro.dados.tentarEmS,
  }
}

export function texto(dados: FormData, campo: string): string {
  const valor = dados.get(campo)
  return typeof valor === 'string' ? valor : ''
}
