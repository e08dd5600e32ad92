import { useQueryClient } from '@tanstack/react-query'
import type { VersionedConfig, IaConfig } from '@balcao/contract/entities/config'
import type { ConfigInput } from '@balcao/contract/entities/config-input'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import type { LoadedConfig } from '#shared/data/config/use-config.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { type FormChange, type FormErrors, useConfigForm } from '#shared/form/use-config-form.ts'

export const MODELS_KEY = ['gemini', 'modelos'] as const
export const USAGE_KEY = ['gemini', 'uso'] as const

function iaOf({ ia, gemini }: VersionedConfig): IaConfig {
  return { ...ia, apiKey: ia.apiKey === '' ? gemini.apiKey : ia.apiKey }
}

function inputOf(base: VersionedConfig, ia: IaConfig): ConfigInput {
  const apiKey = ia.apiKey.trim()
  return { ...base, gemini: { apiKey }, ia: { ...ia, apiKey } }
}

/** An untouched key is sent masked. A masked key with edits is invalid. */
function iaKeyError({ ativa, apiKey }: IaConfig, stored: string): string | undefined {
  const key = apiKey.trim()
  if (ativa && key === '') return 'API Key é obrigatória quando a IA está ativada'
  return key === stored || !key.includes('•') ? undefined : 'Apague o campo e digite a chave inteira'
}

function iaErrorsOf(error: unknown): FormErrors {
  if (!(error instanceof ApiError)) return {}
  if (error.codigo === 'limitePlano') return { ativa: error.message }
  const errors: Record<string, string> = {}
  for (const { caminho, mensagem } of error.dados.detalhes ?? []) {
    const field = fieldOf(caminho)
    if (field !== null) errors[field] ??= mensagem
  }
  return errors
}

function fieldOf(path: string): string | null {
  if (path === 'gemini.apiKey') return 'apiKey'
  if (!path.startsWith('ia.')) return null
  const field = path.slice('ia.'.length)
  return field.startsWith('gatilhos.') ? 'gatilhos' : field
}

function withoutChanged(errors: FormErrors, fields: Partial<IaConfig>): FormErrors {
  const changed = fields.ativa === false ? ['apiKey', 'ativa'] : Object.keys(fields)
  const isChanged = (field: string) => changed.some((name) => field === name || field.startsWith(`${name}.`))
  return Object.fromEntries(Object.entries(errors).filter(([field]) => !isChanged(field)))
}

export type IaChange = FormChange<IaConfig>
export type IaForm = ReturnType<typeof useIaForm>

/** The AI's form. `restoreId` marks the edits that come from "Restaurar". */
export function useIaForm(loaded: LoadedConfig) {
  const saveConfig = useSaveConfig()
  const client = useQueryClient()
  const form = useConfigForm({
    loaded: loaded.config,
    valuesOf: iaOf,
    send: (base, ia) => saveConfig(inputOf(base, ia)),
  })
  const { values: ia, stored, setErrors } = form

  async function save(): Promise<void> {
    if (form.saving) return
    const missing = iaKeyError(ia, stored.apiKey)
    setErrors(missing === undefined ? {} : { apiKey: missing })
    if (missing !== undefined) {
      notify.erro(missing)
      return focusIaField('apiKey')
    }
    const outcome = await form.save()
    if (outcome.tipo === 'recusada') return await showRefusal(outcome.error)
    if (outcome.tipo === 'conflito') return
    notify.sucesso('Configurações da IA salvas com sucesso!')
    // A new key makes the cached model list invalid.
    if (ia.apiKey.trim() !== stored.apiKey) void client.resetQueries({ queryKey: MODELS_KEY })
  }

  async function showRefusal(error: unknown): Promise<void> {
    const found = iaErrorsOf(error)
    setErrors(found)
    notify.erro(`Erro ao salvar configurações: ${errorMessage(error)}`)
    const [first] = Object.keys(found)
    if (first !== undefined) focusIaField(first)
    await loaded.reload().catch(() => undefined)
  }

  async function acceptServer(): Promise<void> {
    try {
      form.adopt(await loaded.reload())
    } catch (error) {
      notify.erro(`Erro ao recarregar configurações: ${errorMessage(error)}`)
    }
  }

  async function restore(): Promise<void> {
    const { defaultIa } = await import('@balcao/contract/defaults')
    const before = form.draft
    const mark = {}
    setErrors({})
    form.update({ ...before, values: { ...defaultIa(), apiKey: ia.apiKey }, mark })
    // The undo does nothing after a save or discard.
    const undo = (now: typeof before): typeof before => (now.mark === mark ? before : now)
    notify.sucesso('Configurações da IA restauradas. Salve para valer.', {
      action: { label: 'Desfazer', run: () => form.update(undo) },
    })
  }

  return {
    ...form,
    ...{ ia, save, acceptServer, restore },
    change: (change: IaChange): void => {
      setErrors((current) => withoutChanged(current, typeof change === 'function' ? change(ia) : change))
      form.change(change)
    },
    storedKey: stored.apiKey,
    restoreId: form.draft.mark,
  }
}

export function focusIaField(name: string): void {
  // Runs before the error renders: the field exists before and after it.
  const [field] = document.getElementsByName(name)
  field?.focus()
  field?.scrollIntoView({ block: 'center' })
}
