import type { VersionedConfig, IaConfig } from '@balcao/contract/entities/config'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import type { LoadedConfig } from '#shared/data/config/use-config.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { unsentEdits } from '#shared/form/unsent-edits.ts'
import { type IaErrors, iaErrorsOf, withoutChanged } from './ia-errors.ts'
import { focusIaField } from './focus-field.ts'
import { MODELS_KEY } from '#features/ia/query-keys.ts'

function iaOf({ ia, gemini }: VersionedConfig): IaConfig {
  return { ...ia, apiKey: ia.apiKey === '' ? gemini.apiKey : ia.apiKey }
}

/** An untouched key is sent masked. A masked key with edits is invalid. */
function iaKeyError({ ativa, apiKey }: IaConfig, stored: string): string | undefined {
  if (ativa && apiKey === '') return 'API Key é obrigatória quando a IA está ativada'
  return apiKey === stored || !apiKey.includes('•') ? undefined : 'Apague o campo e digite a chave inteira'
}

interface IaDraft {
  readonly base: VersionedConfig
  readonly edits: Partial<IaConfig>
  /** Marks the edits that come from "Restaurar". Removed on save and discard. */
  readonly restoreId?: object
}

export type IaChange = Partial<IaConfig> | ((current: IaConfig) => Partial<IaConfig>)
export type IaForm = ReturnType<typeof useIaForm>

/** Form state over the configuration: the server's values plus local edits. */
export function useIaForm(loaded: LoadedConfig) {
  const [draft, setRascunho] = useState<IaDraft>({ base: loaded.config, edits: {} })
  const [erros, setErros] = useState<IaErrors>({})
  const [conflito, setConflito] = useState(false)
  const { salvarConfig, salvando } = useSaveConfig()
  const cliente = useQueryClient()

  const { base } = draft
  const stored = iaOf(base)
  const ia: IaConfig = { ...stored, ...draft.edits }
  const alterado = JSON.stringify(ia) !== JSON.stringify(stored)
  // Without edits the form follows the server. With edits it keeps its base for conflict detection.
  if (!alterado && loaded.config !== base) setRascunho({ base: loaded.config, edits: {} })

  function adopt(config: VersionedConfig): void {
    setRascunho({ base: config, edits: {} })
    setErros({})
    setConflito(false)
  }

  const mudar = (change: IaChange): void => {
    const fields = typeof change === 'function' ? change(ia) : change
    setErros((atuais) => withoutChanged(atuais, fields.ativa === false ? ['apiKey', 'ativa'] : Object.keys(fields)))
    setRascunho((current) => {
      const before = { ...iaOf(current.base), ...current.edits }
      const fresh = typeof change === 'function' ? change(before) : change
      return { ...current, edits: { ...current.edits, ...fresh } }
    })
  }

  async function save(): Promise<void> {
    if (salvando) return
    const apiKey = ia.apiKey.trim()
    const missing = iaKeyError({ ...ia, apiKey }, stored.apiKey)
    setErros(missing === undefined ? {} : { apiKey: missing })
    if (missing !== undefined) {
      notify.erro(missing)
      return focusIaField('apiKey')
    }
    try {
      const salva = await salvarConfig({ ...base, gemini: { apiKey }, ia: { ...ia, apiKey } })
      setErros({})
      setConflito(false)
      setRascunho(({ edits }) => ({ base: salva, edits: unsentEdits(edits, draft.edits) }))
      notify.sucesso('Configurações da IA salvas com sucesso!')
      // A new key makes the cached model list invalid.
      if (apiKey !== stored.apiKey) void cliente.resetQueries({ queryKey: MODELS_KEY })
    } catch (error) {
      await refused(error)
    }
  }

  async function refused(error: unknown): Promise<void> {
    if (error instanceof ApiError && error.codigo === 'versaoDesatualizada') return setConflito(true)
    const found = iaErrorsOf(error)
    setErros(found)
    notify.erro(`Erro ao salvar configurações: ${errorMessage(error)}`)
    const [first] = Object.keys(found)
    if (first !== undefined) focusIaField(first)
    await loaded.reload().catch(() => undefined)
  }

  /** Resolves a conflict: loads the other window's version and discards the edits. */
  async function aceitarServidor(): Promise<void> {
    try {
      adopt(await loaded.reload())
    } catch (error) {
      notify.erro(`Erro ao recarregar configurações: ${errorMessage(error)}`)
    }
  }

  async function restore(): Promise<void> {
    const { defaultIa } = await import('@balcao/contract/defaults')
    const before = draft
    setErros({})
    const restauro = {}
    setRascunho({ base, edits: { ...defaultIa(), apiKey: ia.apiKey }, restoreId: restauro })
    // The undo does nothing after a save or discard.
    const undo = (now: IaDraft): IaDraft => (now.restoreId === restauro ? before : now)
    notify.sucesso('Configurações da IA restauradas. Salve para valer.', {
      action: { label: 'Desfazer', run: () => setRascunho(undo) },
    })
  }

  return {
    ...{ ia, alterado, erros, conflito, mudar, salvar: save, aceitarServidor, restaurar: restore },
    salvando,
    chaveGuardada: stored.apiKey,
    restauro: draft.restoreId,
    descartar: () => adopt(base),
    fecharConflito: () => setConflito(false),
  }
}
