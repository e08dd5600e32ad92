import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar, dispensarAviso } from '#shared/avisos.ts'

/** Why a form was not accepted. */
export interface Recusa {
  /** The field it is about; null is the whole form. */
  readonly campo: string | null
  readonly mensagem: string
  readonly codigo: string
  /** Seconds to wait, when there were too many attempts. */
  readonly tentarEmS?: number | undefined
}

export interface Envio {
  readonly recusa: Recusa | null
  readonly ocupado: boolean
  readonly onSubmit: (evento: FormEvent<HTMLFormElement>) => void
  /** The sentence for one field, for its `erro`. */
  readonly erroDe: (campo: string) => string | undefined
}

/**
 * Sends a form and keeps why it was refused. What was typed stays, and focus goes to the field at fault, or to `foco` when the refusal
 * is about the whole form. A field's fault is also a toast, one at a time; the form's own has its panel, which is announced already.
 * Plain state on purpose: while an action of React's is pending, every transition waits for it, and a slow server would hold back the
 * link that leads away.
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

/** A refusal found before asking the server. */
export function recusar(campo: string, mensagem: string): Recusa {
  return { campo, mensagem, codigo: 'campo' }
}

/** What the server, or the lack of it, answered. `padrao` is the screen's own sentence when none came. `campos` are the form's. */
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

/** A field's text. */
export function texto(dados: FormData, campo: string): string {
  const valor = dados.get(campo)
  return typeof valor === 'string' ? valor : ''
}
