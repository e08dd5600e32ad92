import type { Oficial, OficialInput } from '@balcao/contract/entities/oficial'
import { oficialRoute, salvarOficialRoute } from '@balcao/contract/routes/oficial'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/dados/erro.ts'
import { unsentEdits } from '#shared/dados/restam.ts'
import { apiKeyError } from './formulario.ts'

const QUERY_KEY = ['whatsapp-oficial'] as const
const FIELDS = ['telefoneId', 'contaWhatsappId', 'token', 'segredo'] as const
type OficialField = keyof OficialInput

export const EMPTY_OFICIAL: OficialInput = { telefoneId: '', contaWhatsappId: '', token: '', segredo: '' }

function checkForm(valores: OficialInput, guardado: OficialInput): Partial<Record<OficialField, string>> {
  const erros: Partial<Record<OficialField, string>> = {}
  for (const campo of ['telefoneId', 'contaWhatsappId'] as const) {
    if (/\D/.test(valores[campo].trim())) erros[campo] = 'Use só os números da identificação que a Meta mostra'
  }
  for (const campo of ['token', 'segredo'] as const) {
    const falta = apiKeyError(valores[campo], guardado[campo])
    if (falta !== undefined) erros[campo] = falta
  }
  return erros
}

export function useOficialForm() {
  const cliente = useQueryClient()
  const [edicoes, setEdicoes] = useState<Partial<OficialInput>>({})
  const [erros, setErros] = useState<Partial<Record<OficialField, string>>>({})
  const leitura = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async ({ signal }) => (await call(oficialRoute, { signal })).oficial,
  })
  const guardado: Oficial = leitura.data ?? EMPTY_OFICIAL
  const valores: OficialInput = {
    telefoneId: edicoes.telefoneId ?? guardado.telefoneId,
    contaWhatsappId: edicoes.contaWhatsappId ?? guardado.contaWhatsappId,
    token: edicoes.token ?? guardado.token,
    segredo: edicoes.segredo ?? guardado.segredo,
  }
  const alterado = FIELDS.some((campo) => valores[campo] !== guardado[campo])

  const [salvando, setSalvando] = useState(false)

  async function gravar(): Promise<void> {
    setSalvando(true)
    try {
      cliente.setQueryData(QUERY_KEY, (await call(salvarOficialRoute, { body: valores })).oficial)
      setEdicoes((agora) => unsentEdits(agora, edicoes))
      notify.sucesso('API oficial salva! Inicie o bot para usar.')
    } catch (erro) {
      const detalhes = erro instanceof ApiError ? (erro.dados.detalhes ?? []) : []
      const deles = FIELDS.flatMap((campo) => detalhes.filter(({ caminho }) => caminho === campo))
      setErros(Object.fromEntries(deles.map(({ caminho, mensagem }) => [caminho, mensagem])))
      notify.erro(`Erro ao salvar a API oficial: ${errorMessage(erro)}`)
    }
    setSalvando(false)
  }

  return {
    ...{ leitura, valores, guardado, erros, alterado, salvando },
    mudar: (campos: Partial<OficialInput>): void => setEdicoes((atuais) => ({ ...atuais, ...campos })),
    salvar: (): void => {
      const faltas = checkForm(valores, guardado)
      setErros(faltas)
      const primeiro = FIELDS.find((campo) => faltas[campo] !== undefined)
      if (primeiro === undefined) void gravar()
      else document.getElementsByName(primeiro)[0]?.focus()
    },
  }
}
