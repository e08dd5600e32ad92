import { type VersionedConfig, atendimentoConfigSchema } from '@balcao/contract/entities/config'
import { testarResumoRoute } from '@balcao/contract/routes/config'
import { type DaySummary, summaryText } from '@balcao/engine/atendimento/daily-summary'
import { useMutation } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { Button } from '#shared/ui/button.tsx'
import { formatMarks } from '#shared/preview/format-marks.tsx'
import { useEditableConfig } from '#shared/data/config/use-config.ts'
import { ConfigChanged } from '#shared/ui/config-changed.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { notify } from '#shared/avisos.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { type FormErrors, useConfigForm } from '#shared/form/use-config-form.ts'
import { useFocusInvalid } from '#shared/form/use-focus-invalid.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { MessageField, NumberField, RuleCard } from './page-parts.tsx'

export function QueuePage() {
  const config = useEditableConfig()
  if (config.estado === 'lendo') return <QueueSkeleton />
  if (config.estado === 'falhou') return <ErrorState message={config.mensagem} onRetry={config.tentar} />
  return <QueueEditor config={config.lida.config} reload={config.lida.reload} />
}

function QueueSkeleton() {
  return (
    <div role="status" aria-label="Carregando as regras da fila" aria-busy="true" className="grid gap-4">
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-32 w-full" />
      <Skeleton className="h-48 w-full" />
    </div>
  )
}

function QueueEditor({ config, reload }: { config: VersionedConfig; reload: () => Promise<unknown> }) {
  const form = useQueueForm(config, reload)
  const card = { values: form.values, errors: form.errors, onChange: form.change }
  return (
    <form
      noValidate
      className="grid max-w-3xl gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void form.save()
      }}
    >
      <DistributionCard {...card} />
      <AbsenceCard {...card} />
      <SilenceCard {...card} />
      <SummaryCard {...card} unsaved={form.changed} />
      <SaveBar changed={form.changed} saving={form.saving} onDiscard={form.discard} onSave={() => void form.save()} />
      <ConfigChanged open={form.conflict} onReload={form.acceptServer} onClose={form.closeConflict} />
      <LeaveUnsavedDialog guard={form.guard}>O que você mudou nas regras da fila se perde.</LeaveUnsavedDialog>
    </form>
  )
}

interface RuleCardProps {
  readonly values: QueueRules
  readonly errors: FormErrors
  readonly onChange: (fields: Partial<QueueRules>) => void
}

function DistributionCard({ values, errors, onChange }: RuleCardProps) {
  const { distribuicao } = values
  const change = (fields: Partial<QueueRules['distribuicao']>): void =>
    onChange({ distribuicao: { ...distribuicao, ...fields } })
  return (
    <RuleCard title="Próxima conversa">
      <Switch
        label="Distribuir sozinho"
        hint="Quem espera vai para a pessoa online e disponível do setor com menos conversas. Desligado, cada pessoa assume."
        on={distribuicao.modo === 'automatica'}
        onChange={(on) => change({ modo: on ? 'automatica' : 'manual' })}
      />
      {distribuicao.modo === 'automatica' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            label="Conversas por pessoa"
            hint="Acima disso, a pessoa não recebe outra."
            {...{ min: 1, max: 50, value: distribuicao.capacidade, error: errors['distribuicao.capacidade'] }}
            onChange={(capacidade) => change({ capacidade })}
          />
          <NumberField
            label="Minutos para responder"
            hint="Sem resposta, a conversa passa para a próxima pessoa. 0: nunca passa."
            {...{ min: 0, max: 120, value: distribuicao.semRespostaMinutos }}
            error={errors['distribuicao.semRespostaMinutos']}
            onChange={(semRespostaMinutos) => change({ semRespostaMinutos })}
          />
        </div>
      )}
    </RuleCard>
  )
}

function AbsenceCard({ values, errors, onChange }: RuleCardProps) {
  return (
    <RuleCard title="Ninguém online">
      <MessageField
        label="Mensagem quando ninguém do setor está online"
        hint="Enviada uma vez por conversa, dentro do horário. Em branco, nada é enviado."
        value={values.semNinguem}
        error={errors['semNinguem']}
        onChange={(semNinguem) => onChange({ semNinguem })}
      />
    </RuleCard>
  )
}

function SilenceCard({ values, errors, onChange }: RuleCardProps) {
  const { inatividade } = values
  const change = (fields: Partial<QueueRules['inatividade']>): void =>
    onChange({ inatividade: { ...inatividade, ...fields } })
  return (
    <RuleCard title="Cliente em silêncio">
      <Switch
        label="Encerrar conversas sem resposta do cliente"
        hint="O cliente recebe um aviso e depois a despedida, sem o pedido de nota. Quem espera por você nunca é encerrado."
        on={inatividade.ativa}
        onChange={(ativa) => change({ ativa })}
      />
      {inatividade.ativa && (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <NumberField
              label="Avisar depois de (minutos)"
              hint="Contados da última mensagem da sua equipe."
              {...{ min: 1, max: 10_080, value: inatividade.avisoMinutos, error: errors['inatividade.avisoMinutos'] }}
              onChange={(avisoMinutos) => change({ avisoMinutos })}
            />
            <NumberField
              label="Encerrar depois do aviso (minutos)"
              hint="Sem resposta ao aviso, a conversa termina."
              {...{ min: 1, max: 10_080, value: inatividade.encerrarMinutos }}
              error={errors['inatividade.encerrarMinutos']}
              onChange={(encerrarMinutos) => change({ encerrarMinutos })}
            />
          </div>
          <MessageField
            label="Aviso"
            hint="Em branco, a conversa termina sem aviso."
            value={inatividade.aviso}
            error={errors['inatividade.aviso']}
            onChange={(aviso) => change({ aviso })}
          />
        </>
      )}
    </RuleCard>
  )
}

const EXAMPLE: DaySummary = {
  ...{ dia: '2026-11-27', escreveram: 20, conversas: 12, semResposta: 2, medianaMs: 240_000 },
  ...{ avaliacoes: 5, notaMedia: 4.6, maisEsperou: { nome: 'Marina', ms: 4_320_000 } },
}

function TestSummary({ unsaved }: { readonly unsaved: boolean }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(testarResumoRoute, {}),
    onSuccess: () => notify.sucesso('Resumo de teste enviado. Confira no WhatsApp.'),
    onError: (error) => notify.erro(errorMessage(error)),
  })
  return (
    <div>
      <Button busy={isPending} disabled={unsaved} onClick={() => mutate()}>
        Enviar agora para testar
      </Button>
      {unsaved && <p className="mt-1 text-sm text-muted">Salve as alterações para testar.</p>}
    </div>
  )
}

function SummaryCard({ values, errors, unsaved, onChange }: RuleCardProps & { readonly unsaved: boolean }) {
  const { resumoDiario } = values
  const change = (fields: Partial<QueueRules['resumoDiario']>): void =>
    onChange({ resumoDiario: { ...resumoDiario, ...fields } })
  return (
    <RuleCard title="Resumo de ontem">
      <Switch
        label="Receber o resumo no WhatsApp"
        hint="Uma mensagem por dia, enviada pelo número da loja. Com a loja fechada e sem clientes, nada é enviado."
        on={resumoDiario.ativo}
        onChange={(ativo) => change({ ativo })}
      />
      {resumoDiario.ativo && (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label="Telefone que recebe"
              type="tel"
              hint="Com DDD."
              value={resumoDiario.telefone}
              error={errors['resumoDiario.telefone']}
              onChange={({ currentTarget }) => change({ telefone: currentTarget.value })}
            />
            <TextField
              label="Hora"
              type="time"
              hint="No fuso horário da loja."
              value={resumoDiario.hora}
              error={errors['resumoDiario.hora']}
              onChange={({ currentTarget }) => change({ hora: currentTarget.value })}
            />
          </div>
          <TestSummary unsaved={unsaved} />
          <figure>
            <figcaption className="text-sm font-semibold">Exemplo</figcaption>
            <p className="mt-1 rounded-xl bg-sunken px-3 py-2 text-sm whitespace-pre-line">
              {formatMarks(summaryText(EXAMPLE))}
            </p>
          </figure>
        </>
      )}
    </RuleCard>
  )
}

type QueueRules = Pick<VersionedConfig['atendimento'], 'distribuicao' | 'semNinguem' | 'inatividade' | 'resumoDiario'>
const LIMITS: FormErrors = {
  'distribuicao.capacidade': 'Escolha de 1 a 50 conversas',
  'distribuicao.semRespostaMinutos': 'Escolha de 0 a 120 minutos',
  'inatividade.avisoMinutos': 'Escolha de 1 a 10080 minutos',
  'inatividade.encerrarMinutos': 'Escolha de 1 a 10080 minutos',
  'resumoDiario.telefone': 'Informe o telefone com DDD, como (11) 98765-4321',
  'resumoDiario.hora': 'Escolha a hora do resumo',
}

function valuesOf({ atendimento }: VersionedConfig): QueueRules {
  const { distribuicao, semNinguem, inatividade, resumoDiario } = atendimento
  return { distribuicao, semNinguem, inatividade, resumoDiario }
}

function ruleErrorsOf(values: QueueRules, { atendimento }: Pick<VersionedConfig, 'atendimento'>): FormErrors {
  const parsed = atendimentoConfigSchema.safeParse({ ...atendimento, ...values })
  if (parsed.success) return {}
  const paths = parsed.error.issues.map(({ path }) => path.join('.'))
  return Object.fromEntries(paths.map((path) => [path, LIMITS[path] ?? 'O texto deve ter no máximo 4096 caracteres']))
}

function useQueueForm(config: VersionedConfig, reload: () => Promise<unknown>) {
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
