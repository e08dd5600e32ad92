import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import type { LoadedConfig } from '#shared/data/config/use-config.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { type FormErrors, useConfigForm } from '#shared/form/use-config-form.ts'
import { useFocusInvalid } from '#shared/form/use-focus-invalid.ts'
import {
  shopSettingsErrors,
  type ShopSettingsValues,
  closeShopSettings,
  openShopSettings,
} from './shop-settings-values.ts'

const SECTION = 'loja.'

/** Refused fields of this section, without its name. */
function serverErrorsOf(error: unknown): FormErrors {
  const details = error instanceof ApiError ? (error.dados.detalhes ?? []) : []
  return Object.fromEntries(
    details.flatMap(({ caminho, mensagem }) =>
      caminho.startsWith(SECTION) ? [[caminho.slice(SECTION.length), mensagem]] : [],
    ),
  )
}

export type ShopSettingsForm = ReturnType<typeof useShopSettingsForm>

export function useShopSettingsForm({ config, reload }: LoadedConfig) {
  const saveConfig = useSaveConfig()
  const form = useConfigForm({
    loaded: config,
    valuesOf: ({ loja }, previous?: ShopSettingsValues) => openShopSettings(loja, previous),
    send: (base, values) => saveConfig({ ...base, loja: closeShopSettings(base.loja, values) }),
  })
  const { values, saving, errors, setErrors, discard } = form
  /** Changes with each refused save, and not while the person types. */
  const [refused, setRefused] = useState({})
  useFocusInvalid(refused)

  const refuse = (found: FormErrors, reason: string): void => {
    setErrors(found)
    setRefused({})
    notify.erro(reason)
  }
  const save = async (): Promise<void> => {
    if (!form.changed || saving) return
    const missing = shopSettingsErrors(values)
    const [first] = Object.values(missing)
    if (first !== undefined) return refuse(missing, first)
    const outcome = await form.save()
    if (outcome.tipo === 'conflito') return
    if (outcome.tipo === 'salva') return void notify.sucesso('Ajustes da loja salvos!')
    refuse(serverErrorsOf(outcome.error), `Erro ao salvar os ajustes: ${errorMessage(outcome.error)}`)
  }

  return {
    ...form,
    save,
    /** Errors of rows lie by position, so a change of the rows clears them all. */
    change: (fields: Partial<ShopSettingsValues>): void => {
      const keys = Object.keys(fields).map((key) => ERROR_PREFIX[key] ?? key)
      setErrors(
        Object.fromEntries(Object.entries(errors).filter(([path]) => !keys.some((key) => path.startsWith(key)))),
      )
      form.change(fields)
    },
    acceptServer: async (): Promise<void> => {
      discard()
      await reload().catch((error: unknown) => notify.erro(`Erro ao recarregar os ajustes: ${errorMessage(error)}`))
    },
  }
}

/** Where the errors of a field of the form lie. */
const ERROR_PREFIX: Readonly<Record<string, string>> = {
  taxas: 'entrega.taxas',
  minimo: 'entrega.minimoCentavos',
  gratisAcima: 'entrega.gratisAcimaCentavos',
  lembrete: 'lembreteMinutos',
  minutos: 'lembreteMinutos',
}
