import type { ConfigVersionada, IaConfig } from '@balcao/contract/entities/config'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import type { ConfigLida } from '#shared/dados/config.ts'
import { useSalvarConfig } from '#shared/dados/config-escrita.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { restam } from '#shared/dados/restam.ts'
import { type ErrosDaIa, errosDoServidor, semOsMudados } from './erros-do-servidor.ts'
import { focarCampo } from './focar.ts'
import { CHAVE_MODELOS } from './chaves.ts'

function lerIa({ ia, gemini }: ConfigVersionada): IaConfig {
  return { ...ia, apiKey: ia.apiKey === '' ? gemini.apiKey : ia.apiKey }
}

/** An untouched key is sent masked. A masked key with edits is invalid. */
function faltaNaChave({ ativa, apiKey }: IaConfig, guardada: string): string | undefined {
  if (ativa && apiKey === '') return 'API Key é obrigatória quando a IA está ativada'
  return apiKey === guardada || !apiKey.includes('•') ? undefined : 'Apague o campo e digite a chave inteira'
}

interface Rascunho {
  readonly base: ConfigVersionada
  readonly edicoes: Partial<IaConfig>
  /** Marks the edits that come from "Restaurar". Removed on save and discard. */
  readonly restauro?: object
}

export type Mudanca = Partial<IaConfig> | ((atual: IaConfig) => Partial<IaConfig>)
export type FormularioDaIa = ReturnType<typeof useFormularioIa>

/** Form state over the configuration: the server's values plus local edits. */
export function useFormularioIa(lida: ConfigLida) {
  const [rascunho, setRascunho] = useState<Rascunho>({ base: lida.config, edicoes: {} })
  const [erros, setErros] = useState<ErrosDaIa>({})
  const [conflito, setConflito] = useState(false)
  const { salvarConfig, salvando } = useSalvarConfig()
  const cliente = useQueryClient()

  const { base } = rascunho
  const guardada = lerIa(base)
  const ia: IaConfig = { ...guardada, ...rascunho.edicoes }
  const alterado = JSON.stringify(ia) !== JSON.stringify(guardada)
  // Without edits the form follows the server. With edits it keeps its base for conflict detection.
  if (!alterado && lida.config !== base) setRascunho({ base: lida.config, edicoes: {} })

  function adotar(config: ConfigVersionada): void {
    setRascunho({ base: config, edicoes: {} })
    setErros({})
    setConflito(false)
  }

  const mudar = (mudanca: Mudanca): void => {
    const campos = typeof mudanca === 'function' ? mudanca(ia) : mudanca
    setErros((atuais) => semOsMudados(atuais, campos.ativa === false ? ['apiKey', 'ativa'] : Object.keys(campos)))
    setRascunho((atual) => {
      const antes = { ...lerIa(atual.base), ...atual.edicoes }
      const novos = typeof mudanca === 'function' ? mudanca(antes) : mudanca
      return { ...atual, edicoes: { ...atual.edicoes, ...novos } }
    })
  }

  async function salvar(): Promise<void> {
    if (salvando) return
    const apiKey = ia.apiKey.trim()
    const falta = faltaNaChave({ ...ia, apiKey }, guardada.apiKey)
    setErros(falta === undefined ? {} : { apiKey: falta })
    if (falta !== undefined) {
      avisar.erro(falta)
      return focarCampo('apiKey')
    }
    try {
      const salva = await salvarConfig({ ...base, gemini: { apiKey }, ia: { ...ia, apiKey } })
      setErros({})
      setConflito(false)
      setRascunho(({ edicoes }) => ({ base: salva, edicoes: restam(edicoes, rascunho.edicoes) }))
      avisar.sucesso('Configurações da IA salvas com sucesso!')
      // A new key makes the cached model list invalid.
      if (apiKey !== guardada.apiKey) void cliente.resetQueries({ queryKey: CHAVE_MODELOS })
    } catch (erro) {
      await recusado(erro)
    }
  }

  async function recusado(erro: unknown): Promise<void> {
    if (erro instanceof ApiError && erro.codigo === 'versaoDesatualizada') return setConflito(true)
    const achados = errosDoServidor(erro)
    setErros(achados)
    avisar.erro(`Erro ao salvar configurações: ${mensagemDe(erro)}`)
    const [primeiro] = Object.keys(achados)
    if (primeiro !== undefined) focarCampo(primeiro)
    await lida.recarregar().catch(() => undefined)
  }

  /** Resolves a conflict: loads the other window's version and discards the edits. */
  async function aceitarServidor(): Promise<void> {
    try {
      adotar(await lida.recarregar())
    } catch (erro) {
      avisar.erro(`Erro ao recarregar configurações: ${mensagemDe(erro)}`)
    }
  }

  async function restaurar(): Promise<void> {
    const { iaPadrao } = await import('@balcao/contract/defaults')
    const antes = rascunho
    setErros({})
    const restauro = {}
    setRascunho({ base, edicoes: { ...iaPadrao(), apiKey: ia.apiKey }, restauro })
    // The undo does nothing after a save or discard.
    const desfazer = (agora: Rascunho): Rascunho => (agora.restauro === restauro ? antes : agora)
    avisar.sucesso('Configurações da IA restauradas. Salve para valer.', {
      acao: { rotulo: 'Desfazer', fazer: () => setRascunho(desfazer) },
    })
  }

  return {
    ...{ ia, alterado, erros, conflito, mudar, salvar, aceitarServidor, restaurar },
    salvando,
    chaveGuardada: guardada.apiKey,
    restauro: rascunho.restauro,
    descartar: () => adotar(base),
    fecharConflito: () => setConflito(false),
  }
}
