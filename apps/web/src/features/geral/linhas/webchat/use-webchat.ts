import type { Webchat, WebchatInput } from '@balcao/contract/entities/webchat'
import { salvarWebchatRoute, webchatRoute } from '@balcao/contract/routes/webchat'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { changedFields, type FormErrors, useConfigForm } from '#shared/form/use-config-form.ts'

export type WebchatFields = Pick<Webchat, 'origens' | 'cor' | 'saudacao' | 'pedirNome'>

const webchatKey = (linhaId: string) => ['webchat', linhaId] as const

export function useWebchat(linhaId: string) {
  return useQuery({
    queryKey: webchatKey(linhaId),
    queryFn: async ({ signal }) => (await call(webchatRoute, { params: { id: linhaId }, signal })).webchat,
    retry: false,
  })
}

function fieldsOf({ origens, cor, saudacao, pedirNome }: Webchat): WebchatFields {
  return { origens, cor, saudacao, pedirNome }
}

const ORIGIN = /^(?:https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/

/**
 * The origin of a typed address: `www.loja.com.br/contato` becomes `https://www.loja.com.br`. Null for an address
 * that no browser sends.
 */
export function originOf(typed: string): string | null {
  const text = typed.trim().toLowerCase()
  const address = /^https?:\/\//.test(text) ? text : `https://${text}`
  const origin = URL.canParse(address) ? new URL(address).origin : ''
  return ORIGIN.test(origin) && (origin.includes('.') || origin.includes('localhost')) ? origin : null
}

function webchatErrorsOf(error: unknown): FormErrors {
  const details = error instanceof ApiError ? (error.dados.detalhes ?? []) : []
  return Object.fromEntries(details.map(({ caminho, mensagem }) => [caminho.split('.')[0] ?? caminho, mensagem]))
}

export type WebchatForm = ReturnType<typeof useWebchatForm>

export function useWebchatForm(linhaId: string, loaded: Webchat) {
  const client = useQueryClient()
  const form = useConfigForm({
    loaded,
    valuesOf: fieldsOf,
    send: async (base, values) => {
      // Sends only the changed fields, so that changes from another window are kept.
      const body = changedFields<WebchatInput>(values, fieldsOf(base))
      const { webchat } = await call(salvarWebchatRoute, { params: { id: linhaId }, body })
      client.setQueryData(webchatKey(linhaId), webchat)
      return webchat
    },
  })
  async function save(): Promise<void> {
    const outcome = await form.save()
    if (outcome.tipo === 'salva') return void notify.sucesso('Chat do site salvo.')
    form.setErrors(webchatErrorsOf(outcome.error))
    notify.erro(`Erro ao salvar o chat do site: ${errorMessage(outcome.error)}`)
  }
  return {
    ...form,
    save,
    change: (fields: Partial<WebchatFields>): void => {
      form.setErrors({})
      form.change(fields)
    },
  }
}
