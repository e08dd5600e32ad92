import type { VersionedConfig, IaConfig } from '@balcao/contract/entities/config'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import type { ConfigRead } from '#shared/dados/config.ts'
import { useSaveConfig } from '#shared/dados/config-escrita.ts'
import { errorMessage } from '#shared/dados/erro.ts'
import { unsentEdits } from '#shared/dados/restam.ts'
import { type IaErrors, iaErrorsOf, withoutChanged } from './erros-do-servidor.ts'
import { focusIaField } from './focar.ts'
import { MODELS_KEY } from './chaves.ts'

function iaOf({ ia, gemini }: VersionedConfig): IaConfig {
  return { ...ia, apiKey: ia.apiKey === '' ? gemini.apiKey : ia.apiKey }
}

/** An untouched key is sent masked. A masked key with edits is invalid. */
function iaKeyError({ ativa, apiKey }: IaConfig, guardada: string): string | undefined {
  if (ativa && apiKey === '') return 'API Key é obrigatória quando a IA está ativada'
  return apiKey === guardada || !apiKey.includes('•') ? undefined : 'Apague o campo e digite a chave inteira'
}

interface IaDraft {
  readonly base: VersionedConfig
  readonly edits: Partial<IaConfig>
  /** Marks the edits that come from "Restaurar". Removed on save and discard. */
  readonly restoreId?: object
}

export type IaChange = Partial<IaConfig> | ((atual: IaConfig) => Partial<IaConfig>)
export type IaForm = ReturnType<typeof useIaForm>

/** Form state over the configuration: the server's values plus local edits. */
export function useIaForm(loaded: ConfigRead) {
  const [rascunho, setRascunho] = useState<IaDraft>({ base: loaded.config, edits: {} })
  const [erros, setErros] = useState<IaErrors>({})
  const [conflito, setConflito] = useState(false)
  const { salvarConfig, salvando } = useSaveConfig()
  const cliente = useQueryClient()

  const { base } = rascunho
  const guardada = iaOf(base)
  const ia: IaConfig = { ...guardada, ...rascunho.edits }
  const alterado = JSON.stringify(ia) !== JSON.stringify(guardada)
  // Without edits the form follows the server. With edits it keeps its base for conflict detection.
  if (!alterado && loaded.config !== base) setRascunho({ base: loaded.config, edits: {} })

  function adotar(config: VersionedConfig): void {
    setRascunho({ base: config, edits: {} })
    setErros({})
    setConflito(false)
  }

  const mudar = (mudanca: IaChange): void => {
    const campos = typeof mudanca === 'function' ? mudanca(ia) : mudanca
    setErros((atuais) => withoutChanged(atuais, campos.ativa === false ? ['apiKey', 'ativa'] : Object.keys(campos)))
    setRascunho((atual) => {
      const antes = { ...iaOf(atual.base), ...atual.edits }
      const novos = typeof mudanca === 'function' ? mudanca(antes) : mudanca
      return { ...atual, edits: { ...atual.edits, ...novos } }
    })
  }

  async function salvar(): Promise<void> {
    if (salvando) return
    const apiKey = ia.apiKey.trim()
    const falta = iaKeyError({ ...ia, apiKey }, guardada.apiKey)
    setErros(falta === undefined ? {} : { apiKey: falta })
    if (falta !== undefined) {
      notify.erro(falta)
      return focusIaField('apiKey')
    }
    try {
      const salva = await salvarConfig({ ...base, gemini: { apiKey }, ia: { ...ia, apiKey } })
      setErros({})
      setConflito(false)
      setRascunho(({ edits }) => ({ base: salva, edits: unsentEdits(edits, rascunho.edits) }))
      notify.sucesso('Configurações da IA salvas com sucesso!')
      // A new key makes the cached model list invalid.
      if (apiKey !== guardada.apiKey) void cliente.resetQueries({ queryKey: MODELS_KEY })
    } catch (erro) {
      await recusado(erro)
    }
  }

  async function recusado(erro: unknown): Promise<void> {
    if (erro instanceof ApiError && erro.codigo === 'versaoDesatualizada') return setConflito(true)
    const achados = iaErrorsOf(erro)
    setErros(achados)
    notify.erro(`Erro ao salvar configurações: ${errorMessage(erro)}`)
    const [primeiro] = Object.keys(achados)
    if (primeiro !== undefined) focusIaField(primeiro)
    await loaded.reload().catch(() => undefined)
  }

  /** Resolves a conflict: loads the other window's version and discards the edits. */
  async function aceitarServidor(): Promise<void> {
    try {
      adotar(await loaded.reload())
    } catch (erro) {
      notify.erro(`Erro ao recarregar configurações: ${errorMessage(erro)}`)
    }
  }

  async function restaurar(): Promise<void> {
    const { defaultIa } = await import('@balcao/contract/defaults')
    const antes = rascunho
    setErros({})
    const restauro = {}
    setRascunho({ base, edits: { ...defaultIa(), apiKey: ia.apiKey }, restoreId: restauro })
    // The undo does nothing after a save or discard.
    const desfazer = (agora: IaDraft): IaDraft => (agora.restoreId === restauro ? antes : agora)
    notify.sucesso('Configurações da IA restauradas. Salve para valer.', {
      action: { label: 'Desfazer', run: () => setRascunho(desfazer) },
    })
  }

  return {
    ...{ ia, alterado, erros, conflito, mudar, salvar, aceitarServidor, restaurar },
    salvando,
    chaveGuardada: guardada.apiKey,
    restauro: rascunho.restoreId,
    descartar: () => adotar(base),
    fecharConflito: () => setConflito(false),
  }
}
