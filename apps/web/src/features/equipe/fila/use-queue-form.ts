import { atendimentoConfigSchema, type VersionedConfig } from '@balcao/contract/entities/config'
import { notify } from '#shared/avisos.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useConfigForm } from '#shared/form/use-config-form.ts'
import { useFocusInvalid } from '#shared/form/use-focus-invalid.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'

export type QueueRules = Pick<VersionedConfig['atendimento'], 'distribuicao' | 'semNinguem' | 'inatividade'>
/** Messages beside the fields, by path such as `distribuicao.capacidade`. */
export type RuleErrors = Readonly<Record<string, string>>

const LIMITS: RuleErrors = {
  'distribuicao.capacidade': 'Escolha de 1 a 50 conversas',
  'distribuicao.semRespostaMinutos': 'Escolha de 0 a 120 minutos',
  'inatividade.avisoMinutos': 'Escolha de 1 a 10080 minutos',
  'inatividade.encerrarMinutos': 'Escolha de 1 a 10080 minutos',
}

function valuesOf({ atendimento: { distribuicao, semNinguem, inatividade } }: VersionedConfig): QueueRules {
  return { distribuicao, semNinguem, inatividade }
}

/** Returns the message of each field that the server would refuse. */
export function ruleErrorsOf(values: QueueRules, { atendimento }: Pick<VersionedConfig, 'atendimento'>): RuleErrors {
  const parsed = atendimentoConfigSchema.safeParse({ ...atendimento, ...values })
  if (parsed.success) return {}
  const paths = parsed.error.issues.map(({ path }) => path.join('.'))
  return Object.fromEntries(paths.map((path) => [path, LIMITS[path] ?? 'O texto deve ter no máximo 4096 caracteres']))
}

export function useQueueForm(config: VersionedConfig, reload: () => Promise<unknown>) {
  const saveConfig = useSaveConfig()
  const form = useConfigForm<VersionedConfig, QueueRules>({
    loaded: config,
    valuesOf,
    send: (base, values) => saveConfig({ ...base, atendimento: { ...base.atendimento, ...values } }),
  })
  const { values, changed, saving, setErrors, discard } = form
  useFocusInvalid(form.errors)
  const save = async (): Promise<void> => {
    if (!changed || saving) return
    const errors = ruleErrorsOf(values, form.base)
    setErrors(errors)
    if (Object.keys(errors).length > 0) return void notify.erro('Confira os campos marcados.')
    const outcome = await form.save()
    if (outcome.tipo === 'conflito') return
    if (outcome.tipo === 'salva') return void notify.sucesso('Regras da fila salvas com sucesso!')
    notify.erro(`Erro ao salvar configurações: ${errorMessage(outcome.error)}`)
  }
  useHotkeys({ '$mod+s': () => void save() })
  return {
    ...form,
    guard: useUnsavedGuard(changed),
    save,
    acceptServer: async () => {
      discard()
      await reload().catch((error: unknown) => notify.erro(`Erro ao recarregar configurações: ${errorMessage(error)}`))
    },
  }
}
