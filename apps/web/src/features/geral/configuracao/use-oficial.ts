import type { Oficial, OficialInput } from '@balcao/contract/entities/oficial'
import { oficialRoute, salvarOficialRoute } from '@balcao/contract/routes/oficial'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { unsentEdits } from '#shared/form/unsent-edits.ts'
import { apiKeyError } from './geral-form.ts'

const QUERY_KEY = ['whatsapp-oficial'] as const
const FIELDS = ['telefoneId', 'contaWhatsappId', 'token', 'segredo'] as const
type OficialField = keyof OficialInput

export const EMPTY_OFICIAL: OficialInput = { telefoneId: '', contaWhatsappId: '', token: '', segredo: '' }

function checkForm(values: OficialInput, stored: OficialInput): Partial<Record<OficialField, string>> {
  const errors: Partial<Record<OficialField, string>> = {}
  for (const field of ['telefoneId', 'contaWhatsappId'] as const) {
    if (/\D/.test(values[field].trim())) errors[field] = 'Use só os números da identificação que a Meta mostra'
  }
  for (const field of ['token', 'segredo'] as const) {
    const missing = apiKeyError(values[field], stored[field])
    if (missing !== undefined) errors[field] = missing
  }
  return errors
}

export function useOficialForm() {
  const cliente = useQueryClient()
  const [edits, setEdicoes] = useState<Partial<OficialInput>>({})
  const [erros, setErros] = useState<Partial<Record<OficialField, string>>>({})
  const leitura = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async ({ signal }) => (await call(oficialRoute, { signal })).oficial,
  })
  const guardado: Oficial = leitura.data ?? EMPTY_OFICIAL
  const valores: OficialInput = {
    telefoneId: edits.telefoneId ?? guardado.telefoneId,
    contaWhatsappId: edits.contaWhatsappId ?? guardado.contaWhatsappId,
    token: edits.token ?? guardado.token,
    segredo: edits.segredo ?? guardado.segredo,
  }
  const alterado = FIELDS.some((field) => valores[field] !== guardado[field])

  const [salvando, setSalvando] = useState(false)

  async function write(): Promise<void> {
    setSalvando(true)
    try {
      cliente.setQueryData(QUERY_KEY, (await call(salvarOficialRoute, { body: valores })).oficial)
      setEdicoes((now) => unsentEdits(now, edits))
      notify.sucesso('API oficial salva! Inicie o bot para usar.')
    } catch (error) {
      const details = error instanceof ApiError ? (error.dados.detalhes ?? []) : []
      const deles = FIELDS.flatMap((field) => details.filter(({ caminho }) => caminho === field))
      setErros(Object.fromEntries(deles.map(({ caminho, mensagem }) => [caminho, mensagem])))
      notify.erro(`Erro ao salvar a API oficial: ${errorMessage(error)}`)
    }
    setSalvando(false)
  }

  return {
    ...{ leitura, valores, guardado, erros, alterado, salvando },
    mudar: (fields: Partial<OficialInput>): void => setEdicoes((current) => ({ ...current, ...fields })),
    salvar: (): void => {
      const faltas = checkForm(valores, guardado)
      setErros(faltas)
      const first = FIELDS.find((field) => faltas[field] !== undefined)
      if (first === undefined) void write()
      else document.getElementsByName(first)[0]?.focus()
    },
  }
}
