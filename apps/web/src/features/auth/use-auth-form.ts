import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify, dismissAviso } from '#shared/avisos.ts'

export interface FormRefusal {
  /** Null: the whole form. */
  readonly field: string | null
  readonly message: string
  readonly code: string
  readonly retryInS?: number | undefined
}

export interface AuthForm {
  readonly refusal: FormRefusal | null
  readonly busy: boolean
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  readonly errorOf: (campo: string) => string | undefined
}

/**
 * Submits a form, keeps the input after an error and focuses the wrong field, or the given one for a form error.
 * A field error also shows a toast. A form error has its own alert.
 * Uses plain state: a pending React action blocks all transitions, so a slow server would block links.
 */
export function useAuthForm(submit: (dados: FormData) => Promise<FormRefusal | null>, focus: string): AuthForm {
  const form = useRef<HTMLFormElement>(null)
  const [recusa, setRecusa] = useState<FormRefusal | null>(null)
  const [ocupado, setOcupado] = useState(false)
  useEffect(() => {
    if (recusa === null) return
    const campo = form.current?.elements.namedItem(recusa.field ?? focus)
    if (campo instanceof HTMLInputElement) campo.focus()
  }, [recusa, focus])
  const aviso = useRef<string>(null)
  const send = async (dados: FormData): Promise<void> => {
    setOcupado(true)
    if (aviso.current !== null) dismissAviso(aviso.current)
    try {
      const fresh = await submit(dados)
      aviso.current = fresh === null || fresh.field === null ? null : notify.erro(fresh.message)
      setRecusa(fresh)
    } finally {
      setOcupado(false)
    }
  }
  return {
    refusal: recusa,
    busy: ocupado,
    onSubmit: (event) => {
      event.preventDefault()
      form.current = event.currentTarget
      if (!ocupado) void send(new FormData(event.currentTarget))
    },
    errorOf: (campo) => (recusa?.field === campo ? recusa.message : undefined),
  }
}

export function refuse(field: string, message: string): FormRefusal {
  return { field, message, code: 'campo' }
}

/**
 * Converts an `ApiError` to a refusal and rethrows others. The default text is used if the server gave none.
 * Only errors of the given fields count as field errors.
 */
export function refusalOf(error: unknown, fallback: string, fields: readonly string[] = []): FormRefusal {
  if (!(error instanceof ApiError)) throw error
  const detail = error.dados.detalhes?.find(({ caminho }) => fields.includes(caminho))
  if (detail !== undefined) return { field: detail.caminho, message: detail.mensagem, code: error.codigo }
  return {
    field: null,
    message: error.codigo === 'desconhecido' ? fallback : error.message,
    code: error.codigo,
    retryInS: error.dados.tentarEmS,
  }
}

export function fieldText(data: FormData, field: string): string {
  const value = data.get(field)
  return typeof value === 'string' ? value : ''
}
