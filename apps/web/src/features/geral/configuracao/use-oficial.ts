import type { Oficial, OficialInput } from '@balcao/contract/entities/oficial'
import { oficialRoute, salvarOficialRoute } from '@balcao/contract/routes/oficial'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { type FormErrors, useConfigForm } from '#shared/form/use-config-form.ts'
import { apiKeyError } from './use-geral-form.ts'

const QUERY_KEY = ['whatsapp-oficial'] as const
const FIELDS = ['telefoneId', 'contaWhatsappId', 'token', 'segredo'] as const

const EMPTY_OFICIAL: Oficial = { telefoneId: '', contaWhatsappId: '', token: '', segredo: '' }

function inputOf({ telefoneId, contaWhatsappId, token, segredo }: Oficial): OficialInput {
  return { telefoneId, contaWhatsappId, token, segredo }
}

function checkForm(values: OficialInput, stored: OficialInput): FormErrors {
  const errors: Record<string, string> = {}
  for (const field of ['telefoneId', 'contaWhatsappId'] as const) {
    if (/\D/.test(values[field].trim())) errors[field] = 'Use só os números da identificação que a Meta mostra'
  }
  for (const field of ['token', 'segredo'] as const) {
    const missing = apiKeyError(values[field], stored[field])
    if (missing !== undefined) errors[field] = missing
  }
  return errors
}

function serverErrorsOf(error: unknown): FormErrors {
  const details = error instanceof ApiError ? (error.dados.detalhes ?? []) : []
  const known = details.filter(({ caminho }) => FIELDS.some((field) => field === caminho))
  return Object.fromEntries(known.map(({ caminho, mensagem }) => [caminho, mensagem]))
}

export function useOficialForm() {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async ({ signal }) => (await call(oficialRoute, { signal })).oficial,
  })
  const form = useConfigForm({
    loaded: query.data ?? EMPTY_OFICIAL,
    valuesOf: inputOf,
    send: async (_base, body) => {
      const { oficial } = await call(salvarOficialRoute, { body })
      client.setQueryData(QUERY_KEY, oficial)
      return oficial
    },
  })

  async function write(): Promise<void> {
    const outcome = await form.save()
    if (outcome.tipo === 'salva') return void notify.sucesso('API oficial salva! Inicie o bot para usar.')
    form.setErrors(serverErrorsOf(outcome.error))
    notify.erro(`Erro ao salvar a API oficial: ${errorMessage(outcome.error)}`)
  }

  return {
    ...form,
    query,
    save: (): void => {
      const missing = checkForm(form.values, form.stored)
      form.setErrors(missing)
      const first = FIELDS.find((field) => missing[field] !== undefined)
      if (first === undefined) void write()
      else document.getElementsByName(first)[0]?.focus()
    },
  }
}
