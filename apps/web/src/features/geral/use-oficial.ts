import type { Oficial, OficialEntrada } from '@balcao/contract/entities/oficial'
import { oficialRoute, salvarOficialRoute } from '@balcao/contract/routes/oficial'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { restam } from '#shared/dados/restam.ts'
import { faltaNaChave } from './formulario.ts'

const CHAVE = ['whatsapp-oficial'] as const
const CAMPOS = ['telefoneId', 'contaWhatsappId', 'token', 'segredo'] as const
type Campo = keyof OficialEntrada

export const VAZIO: OficialEntrada = { telefoneId: '', contaWhatsappId: '', token: '', segredo: '' }

function conferir(valores: OficialEntrada, guardado: OficialEntrada): Partial<Record<Campo, string>> {
  const erros: Partial<Record<Campo, string>> = {}
  for (const campo of ['telefoneId', 'contaWhatsappId'] as const) {
    if (/\D/.test(valores[campo].trim())) erros[campo] = 'Use só os números da identificação que a Meta mostra'
  }
  for (const campo of ['token', 'segredo'] as const) {
    const falta = faltaNaChave(valores[campo], guardado[campo])
    if (falta !== undefined) erros[campo] = falta
  }
  return erros
}

export function useOficial() {
  const cliente = useQueryClient()
  const [edicoes, setEdicoes] = useState<Partial<OficialEntrada>>({})
  const [erros, setErros] = useState<Partial<Record<Campo, string>>>({})
  const leitura = useQuery({
    queryKey: CHAVE,
    queryFn: async ({ signal }) => (await call(oficialRoute, { signal })).oficial,
  })
  const guardado: Oficial = leitura.data ?? VAZIO
  const valores: OficialEntrada = {
    telefoneId: edicoes.telefoneId ?? guardado.telefoneId,
    contaWhatsappId: edicoes.contaWhatsappId ?? guardado.contaWhatsappId,
    token: edicoes.token ?? guardado.token,
    segredo: edicoes.segredo ?? guardado.segredo,
  }
  const alterado = CAMPOS.some((campo) => valores[campo] !== guardado[campo])

  const [salvando, setSalvando] = useState(false)

  async function gravar(): Promise<void> {
    setSalvando(true)
    try {
      cliente.setQueryData(CHAVE, (await call(salvarOficialRoute, { body: valores })).oficial)
      setEdicoes((agora) => restam(agora, edicoes))
      avisar.sucesso('API oficial salva! Inicie o bot para usar.')
    } catch (erro) {
      const detalhes = erro instanceof ApiError ? (erro.dados.detalhes ?? []) : []
      const deles = CAMPOS.flatMap((campo) => detalhes.filter(({ caminho }) => caminho === campo))
      setErros(Object.fromEntries(deles.map(({ caminho, mensagem }) => [caminho, mensagem])))
      avisar.erro(`Erro ao salvar a API oficial: ${mensagemDe(erro)}`)
    }
    setSalvando(false)
  }

  return {
    ...{ leitura, valores, guardado, erros, alterado, salvando },
    mudar: (campos: Partial<OficialEntrada>): void => setEdicoes((atuais) => ({ ...atuais, ...campos })),
    salvar: (): void => {
      const faltas = conferir(valores, guardado)
      setErros(faltas)
      const primeiro = CAMPOS.find((campo) => faltas[campo] !== undefined)
      if (primeiro === undefined) void gravar()
      else document.getElementsByName(primeiro)[0]?.focus()
    },
  }
}
