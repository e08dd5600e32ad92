import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { VersionedConfig, IaConfig } from '@balcao/contract/entities/config'
import type { ConfigInput } from '@balcao/contract/entities/config-input'
import { FATOS_PROVEDOR, type ProvedorIa } from '@balcao/contract/presets/provedores-ia'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import type { LoadedConfig } from '#shared/data/config/use-config.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { canAsk, keyFieldOf, keyOf, withProvider, withTrimmedKeys } from './provider-fields.ts'
import { type FormChange, type FormErrors, useConfigForm } from '#shared/form/use-config-form.ts'

export const MODELS_KEY = ['gemini', 'modelos'] as const
export const USAGE_KEY = ['gemini', 'uso'] as const

function iaOf({ ia, gemini }: VersionedConfig): IaConfig {
  return { ...ia, apiKey: ia.apiKey === '' ? gemini.apiKey : ia.apiKey }
}

function inputOf(base: VersionedConfig, values: IaConfig): ConfigInput {
  const ia = withTrimmedKeys(values)
  return { ...base, gemini: { apiKey: ia.apiKey }, ia }
}

/** An untouched key is sent masked. A masked key with edits is invalid. */
function missingIn(ia: IaConfig, stored: string): FormErrors {
  const key = keyOf(ia).trim()
  if (ia.ativa && !canAsk(ia)) {
    return ia.provedor === 'compativel'
      ? { urlBase: 'Informe o endereço do provedor' }
      : { [keyFieldOf(ia)]: 'API Key é obrigatória quando a IA está ativada' }
  }
  if (key !== stored && key.includes('•')) return { [keyFieldOf(ia)]: 'Apague o campo e digite a chave inteira' }
  if (ia.modeloGemini.trim() === '') return { modeloGemini: 'Escreva o nome do modelo' }
  if (ia.ativa && ia.apresentacao.trim() === '') {
    return { apresentacao: 'Escreva a apresentação: o cliente precisa saber que fala com uma IA' }
  }
  return {}
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

/** Fields that only an active AI needs. */
const ALL_NEEDED = ['apiKey', 'chaves', 'urlBase', 'apresentacao', 'ativa']

function withoutChanged(errors: FormErrors, fields: Partial<IaConfig>): FormErrors {
  const changed = fields.ativa === false ? ALL_NEEDED : Object.keys(fields)
  const isChanged = (field: string) => changed.some((name) => field === name || field.startsWith(`${name}.`))
  return Object.fromEntries(Object.entries(errors).filter(([field]) => !isChanged(field)))
}

export type IaChange = FormChange<IaConfig>
export type IaForm = ReturnType<typeof useIaForm>

type IaDrafts = Pick<
  ReturnType<typeof useConfigForm<VersionedConfig, IaConfig>>,
  'draft' | 'values' | 'setErrors' | 'update' | 'adopt'
>

async function adoptServer({ adopt }: IaDrafts, { reload }: LoadedConfig): Promise<void> {
  try {
    adopt(await reload())
  } catch (error) {
    notify.erro(`Erro ao recarregar configurações: ${errorMessage(error)}`)
  }
}

async function restoreDefaults({ draft: before, values, setErrors, update }: IaDrafts): Promise<void> {
  const { defaultIa } = await import('@balcao/contract/defaults')
  const mark = {}
  setErrors({})
  update({ ...before, values: { ...defaultIa(), ...connectionOf(values) }, mark })
  // The undo does nothing after a save or discard.
  const undo = (now: typeof before): typeof before => (now.mark === mark ? before : now)
  notify.sucesso('Configurações da IA restauradas. Salve para valer.', {
    action: { label: 'Desfazer', run: () => update(undo) },
  })
}

/** The AI's form. `restoreId` marks the edits that come from "Restaurar". */
export function useIaForm(loaded: LoadedConfig) {
  const saveConfig = useSaveConfig()
  const force = useRef<string>(undefined)
  const [examRefusal, setExamRefusal] = useState<number | null>(null)
  const client = useQueryClient()
  const form = useConfigForm({
    loaded: loaded.config,
    valuesOf: iaOf,
    send: (base, ia) => saveConfig(inputOf(base, ia), force.current),
  })
  const { values: ia, stored, setErrors } = form
  const storedKey = keyOf({ ...stored, provedor: ia.provedor })

  async function save(): Promise<void> {
    if (form.saving) return
    const missing = missingIn(ia, storedKey)
    setErrors(missing)
    if (showFirst(missing)) return
    const outcome = await form.save()
    if (outcome.tipo === 'recusada') return await showRefusal(outcome.error)
    if (outcome.tipo === 'conflito') return
    notify.sucesso('Configurações da IA salvas com sucesso!')
    // A new key makes the cached model list invalid.
    if (keyOf(ia).trim() !== storedKey || ia.urlBase !== stored.urlBase)
      void client.resetQueries({ queryKey: MODELS_KEY })
  }

  async function showRefusal(error: unknown): Promise<void> {
    if (error instanceof ApiError && error.codigo === 'provaReprovada') {
      return setExamRefusal(error.dados.falharam ?? 1)
    }
    const found = iaErrorsOf(error)
    setErrors(found)
    notify.erro(`Erro ao salvar configurações: ${errorMessage(error)}`)
    const [first] = Object.keys(found)
    if (first !== undefined) focusIaField(first)
    await loaded.reload().catch(() => undefined)
  }

  /** Saves although the obligatory questions fail. */
  async function saveAnyway(motivo: string): Promise<void> {
    force.current = motivo
    await save()
    force.current = undefined
  }

  return {
    ...form,
    ...{ ia, save, saveAnyway, examRefusal },
    acceptServer: () => adoptServer(form, loaded),
    restore: () => restoreDefaults(form),
    closeExamRefusal: (): void => setExamRefusal(null),
    /** The settings as a save would send them. */
    draftConfig: inputOf(form.base, ia),
    change: (change: IaChange): void => {
      setErrors((current) => withoutChanged(current, typeof change === 'function' ? change(ia) : change))
      form.change(change)
    },
    chooseProvider: (provedor: ProvedorIa): void => {
      setErrors({})
      form.change(withProvider(provedor, stored))
    },
    storedKey,
    restoreId: form.draft.mark,
  }
}

/** Restoring keeps the provider, its keys and its address. */
function connectionOf({ provedor, urlBase, apiKey, chaves, modeloGemini }: IaConfig): Partial<IaConfig> {
  const { modeloPadrao } = FATOS_PROVEDOR[provedor]
  return { provedor, urlBase, apiKey, chaves, modeloGemini: modeloPadrao === '' ? modeloGemini : modeloPadrao }
}

/** False when there is none. */
function showFirst(errors: FormErrors): boolean {
  const [first] = Object.entries(errors)
  if (first === undefined) return false
  notify.erro(first[1])
  focusIaField(first[0])
  return true
}

export function focusIaField(name: string): void {
  // Runs before the error renders: the field exists before and after it.
  const [field] = document.getElementsByName(name)
  field?.focus()
  field?.scrollIntoView({ block: 'center' })
}
