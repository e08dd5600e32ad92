import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify, dismissAviso } from '#shared/avisos.ts'
import { Notice } from '#shared/ui/notice.tsx'

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
  readonly errorOf: (field: string) => string | undefined
}

/**
 * Submits a form, keeps the input after an error and focuses the wrong field, or the given one for a form error.
 * A field error also shows a toast. A form error has its own alert.
 * Uses plain state: a pending React action blocks all transitions, so a slow server would block links.
 */
export function useAuthForm(submit: (data: FormData) => Promise<FormRefusal | null>, focus: string): AuthForm {
  const form = useRef<HTMLFormElement>(null)
  const [refusal, setRefusal] = useState<FormRefusal | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (refusal === null) return
    const field = form.current?.elements.namedItem(refusal.field ?? focus)
    if (field instanceof HTMLInputElement) field.focus()
  }, [refusal, focus])
  const aviso = useRef<string>(null)
  const send = async (data: FormData): Promise<void> => {
    setBusy(true)
    if (aviso.current !== null) dismissAviso(aviso.current)
    try {
      const fresh = await submit(data)
      aviso.current = fresh === null || fresh.field === null ? null : notify.erro(fresh.message)
      setRefusal(fresh)
    } finally {
      setBusy(false)
    }
  }
  return {
    refusal,
    busy,
    onSubmit: (event) => {
      event.preventDefault()
      form.current = event.currentTarget
      if (!busy) void send(new FormData(event.currentTarget))
    },
    errorOf: (field) => (refusal?.field === field ? refusal.message : undefined),
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

interface FormRefusalNoticeProps {
  readonly refusal: FormRefusal | null
  /** False: the text about a waiting account promises no mail. */
  readonly sendsMail?: boolean
}

export function FormRefusalNotice({ refusal, sendsMail = true }: FormRefusalNoticeProps) {
  if (refusal === null || refusal.field !== null) return null
  const { code, message, retryInS } = refusal
  if (code === 'contaPendente') {
    return (
      <Notice tone="espera" title={message}>
        Seu cadastro está conosco. Assim que for aprovado, você {sendsMail && 'recebe um e-mail e '}já pode entrar por
        aqui.
      </Notice>
    )
  }
  if (code === 'contaInativa') {
    return (
      <Notice tone="espera" title={message}>
        Fale com o administrador para reativá-la. Suas configurações continuam guardadas.
      </Notice>
    )
  }
  return (
    <Notice tone="erro" title={message}>
      {retryInS === undefined ? undefined : `Você pode tentar de novo em ${formatMinutes(retryInS)}.`}
    </Notice>
  )
}

function formatMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return minutes === 1 ? '1 minuto' : `${minutes} minutos`
}
