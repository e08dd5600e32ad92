import type { VersionedConfig } from '@balcao/contract/entities/config'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import type { LoadedConfig } from '#shared/data/config/use-config.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { unsentEdits } from '#shared/form/unsent-edits.ts'
import { apiKeyError, clientIdError, geralFormOf, buildConfig, type GeralForm } from './geral-form.ts'

export type GeralFormErrors = Partial<Record<keyof GeralForm, string>>

export interface GeralFormState {
  readonly values: GeralForm
  readonly errors: GeralFormErrors
  readonly change: (fields: Partial<GeralForm>) => void
  readonly hasChanged: (field: keyof GeralForm) => boolean
  readonly changed: boolean
  readonly saving: boolean
  /** Another window saved first: saving is refused until a reload. */
  readonly conflict: boolean
  /** The stored key, masked. */
  readonly storedKey: string
  readonly save: () => Promise<void>
  readonly discard: () => void
  /** Loads the stored configuration and discards local edits. */
  readonly reload: () => Promise<void>
}

const FIELD_BY_PATH: Readonly<Record<string, keyof GeralForm>> = {
  'whatsapp.clientId': 'clientId',
  'whatsapp.chromePath': 'chromePath',
  'whatsapp.conector': 'conector',
  'whatsapp.respostaLigacao': 'respostaLigacao',
  'gemini.apiKey': 'apiKey',
}

const FIELDS = Object.values(FIELD_BY_PATH)

function serverErrorsOf(error: unknown): GeralFormErrors {
  if (!(error instanceof ApiError)) return {}
  const erros: GeralFormErrors = {}
  for (const { caminho, mensagem } of error.dados.detalhes ?? []) {
    const field = FIELD_BY_PATH[caminho]
    if (field !== undefined) erros[field] = mensagem
  }
  return erros
}

function checkForm(valores: GeralForm, chaveGuardada: string): GeralFormErrors {
  const clientId = clientIdError(valores.clientId)
  const apiKey = apiKeyError(valores.apiKey, chaveGuardada)
  return { ...(clientId === undefined ? {} : { clientId }), ...(apiKey === undefined ? {} : { apiKey }) }
}

/** Form state over the configuration: the server's values plus local edits. */
export function useGeralForm(loaded: LoadedConfig): GeralFormState {
  const [base, setBase] = useState(loaded.config)
  const [edits, setEdicoes] = useState<Partial<GeralForm>>({})
  const [erros, setErros] = useState<GeralFormErrors>({})
  const [conflito, setConflito] = useState(false)
  const { salvarConfig, salvando } = useSaveConfig()

  const stored = geralFormOf(base)
  const valores: GeralForm = { ...stored, ...edits }
  const mudou = (field: keyof GeralForm): boolean => valores[field] !== stored[field]
  const alterado = FIELDS.some(mudou)
  // Without edits the form follows the server. With edits it keeps its base for conflict detection.
  if (!alterado && loaded.config !== base) setBase(loaded.config)

  function adopt(config: VersionedConfig): void {
    setBase(config)
    descartar()
  }
  function descartar(): void {
    setEdicoes({})
    setErros({})
    setConflito(false)
  }

  async function salvar(): Promise<void> {
    const missing = checkForm(valores, base.gemini.apiKey)
    setErros(missing)
    const first = missing.clientId ?? missing.apiKey
    if (first !== undefined) {
      notify.erro(first)
      document.getElementsByName(missing.clientId === undefined ? 'apiKey' : 'clientId')[0]?.focus()
      return
    }
    try {
      setBase(await salvarConfig(buildConfig(base, valores)))
      setEdicoes((now) => unsentEdits(now, edits))
      setConflito(false)
      notify.sucesso('Configurações salvas com sucesso!')
    } catch (error) {
      notify.erro(`Erro ao salvar configurações: ${errorMessage(error)}`)
      setErros(serverErrorsOf(error))
      setConflito(error instanceof ApiError && error.codigo === 'versaoDesatualizada')
      // Refetches the stored configuration. The edits and their base stay, so a conflict stays a conflict.
      await loaded.reload().catch(() => undefined)
    }
  }

  async function recarregar(): Promise<void> {
    try {
      adopt(await loaded.reload())
      notify.sucesso('Configurações recarregadas!')
    } catch (error) {
      notify.erro(`Erro ao recarregar configurações: ${errorMessage(error)}`)
    }
  }

  const mudar = (fields: Partial<GeralForm>): void => setEdicoes((current) => ({ ...current, ...fields }))
  return {
    ...{
      values: valores,
      errors: erros,
      change: mudar,
      hasChanged: mudou,
      changed: alterado,
      conflict: conflito,
      save: salvar,
      discard: descartar,
      reload: recarregar,
    },
    saving: salvando,
    storedKey: base.gemini.apiKey,
  }
}
