import { CONTADOR } from '@balcao/contract/constants'
import { type ReactNode, useId } from 'react'
import { LongText } from '#shared/form/long-text.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import type { RuleErrors, QueueRules } from './use-queue-form.ts'

interface RuleCardProps {
  readonly values: QueueRules
  readonly errors: RuleErrors
  readonly onChange: (fields: Partial<QueueRules>) => void
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="card grid gap-4 p-4 sm:p-5">
      <h3 id={id} className="text-lg font-bold">
        {title}
      </h3>
      {children}
    </section>
  )
}

interface NumberProps {
  readonly label: string
  readonly hint: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly error?: string | undefined
  readonly onChange: (value: number) => void
}

function NumberField({ value, onChange, ...rest }: NumberProps) {
  return (
    <TextField
      {...rest}
      type="number"
      inputMode="numeric"
      value={Number.isNaN(value) ? '' : value}
      onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
    />
  )
}

interface TextProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly error?: string | undefined
  readonly onChange: (value: string) => void
}

function MessageField(props: TextProps) {
  return <LongText {...props} total={CONTADOR.mensagem} rows={3} />
}

export function DistributionCard({ values, errors, onChange }: RuleCardProps) {
  const { distribuicao } = values
  const change = (fields: Partial<QueueRules['distribuicao']>): void =>
    onChange({ distribuicao: { ...distribuicao, ...fields } })
  return (
    <Card title="Próxima conversa">
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
    </Card>
  )
}

export function AbsenceCard({ values, errors, onChange }: RuleCardProps) {
  return (
    <Card title="Ninguém online">
      <MessageField
        label="Mensagem quando ninguém do setor está online"
        hint="Enviada uma vez por conversa, dentro do horário. Em branco, nada é enviado."
        value={values.semNinguem}
        error={errors['semNinguem']}
        onChange={(semNinguem) => onChange({ semNinguem })}
      />
    </Card>
  )
}

export function SilenceCard({ values, errors, onChange }: RuleCardProps) {
  const { inatividade } = values
  const change = (fields: Partial<QueueRules['inatividade']>): void =>
    onChange({ inatividade: { ...inatividade, ...fields } })
  return (
    <Card title="Cliente em silêncio">
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
    </Card>
  )
}
