import type { ConectorTipo } from '@balcao/contract/connectors'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import type { ConfigInput } from '@balcao/contract/entities/config-input'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import type { LoadedConfig } from '#shared/data/config/use-config.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { type FormErrors, useConfigForm } from '#shared/form/use-config-form.ts'

interface GeralForm {
  clientId: string
  conector: ConectorTipo
  chromePath: string
  respostaLigacao: string
  apiKey: string
}

const FIELD_BY_PATH: Readonly<Record<string, keyof GeralForm>> = {
  'whatsapp.clientId': 'clientId',
  'whatsapp.chromePath': 'chromePath',
  'whatsapp.conector': 'conector',
  'whatsapp.respostaLigacao': 'respostaLigacao',
  'gemini.apiKey': 'apiKey',
}

function geralFormOf({ whatsapp, gemini }: VersionedConfig): GeralForm {
  const { clientId, conector, chromePath, respostaLigacao } = whatsapp
  return { clientId, conector, chromePath, respostaLigacao, apiKey: gemini.apiKey }
}

/**
 * Full configuration to save. `base` keeps its `versao`, so the server rejects outdated saves.
 * `gemini.apiKey` and `ia.apiKey` always hold the same key.
 */
function buildConfig(base: VersionedConfig, form: GeralForm): ConfigInput {
  const { clientId, conector, chromePath, respostaLigacao } = form
  const apiKey = form.apiKey.trim()
  return {
    ...base,
    whatsapp: { clientId: clientId.trim(), conector, chromePath: chromePath.trim(), respostaLigacao },
    gemini: { apiKey },
    ia: { ...base.ia, apiKey },
  }
}

const CLIENT_ID = /^[\w-]{1,60}$/

function clientIdError(clientId: string): string | undefined {
  const value = clientId.trim()
  if (value === '') return 'Client ID é obrigatório'
  return CLIENT_ID.test(value) ? undefined : 'Use até 60 letras, números, _ ou -, sem espaços nem acentos'
}

/** An untouched key is sent masked. A masked key with edits is invalid. */
export function apiKeyError(apiKey: string, stored: string): string | undefined {
  return apiKey === stored || !apiKey.includes('•') ? undefined : 'Apague o campo e digite a chave inteira'
}

function checkForm(values: GeralForm, storedKey: string): FormErrors {
  const clientId = clientIdError(values.clientId)
  const apiKey = apiKeyError(values.apiKey, storedKey)
  return { ...(clientId === undefined ? {} : { clientId }), ...(apiKey === undefined ? {} : { apiKey }) }
}

function serverErrorsOf(error: unknown): FormErrors {
  const details = error instanceof ApiError ? (error.dados.detalhes ?? []) : []
  return Object.fromEntries(
    details.flatMap(({ caminho, mensagem }) => {
      const field = FIELD_BY_PATH[caminho]
      return field === undefined ? [] : [[field, mensagem]]
    }),
  )
}

export type GeralFormState = ReturnType<typeof useGeralForm>

export function useGeralForm(loaded: LoadedConfig) {
  const saveConfig = useSaveConfig()
  const form = useConfigForm({
    loaded: loaded.config,
    valuesOf: geralFormOf,
    send: (base, values) => saveConfig(buildConfig(base, values)),
  })
  const { base, values, stored } = form

  async function save(): Promise<void> {
    const missing = checkForm(values, base.gemini.apiKey)
    form.setErrors(missing)
    const [first] = Object.entries(missing)
    if (first !== undefined) {
      notify.erro(first[1])
      document.getElementsByName(first[0])[0]?.focus()
      return
    }
    const outcome = await form.save()
    if (outcome.tipo === 'salva') return void notify.sucesso('Configurações salvas com sucesso!')
    notify.erro(`Erro ao salvar configurações: ${errorMessage(outcome.error)}`)
    form.setErrors(serverErrorsOf(outcome.error))
    // Refetches the stored configuration. The edits and their base stay, so a conflict stays a conflict.
    await loaded.reload().catch(() => undefined)
  }

  async function reload(): Promise<void> {
    try {
      form.adopt(await loaded.reload())
      notify.sucesso('Configurações recarregadas!')
    } catch (error) {
      notify.erro(`Erro ao recarregar configurações: ${errorMessage(error)}`)
    }
  }

  return {
    ...form,
    ...{ save, reload },
    hasChanged: (field: keyof GeralForm): boolean => values[field] !== stored[field],
    storedKey: base.gemini.apiKey,
  }
}
