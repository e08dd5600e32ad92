import { CONTADOR } from '@balcao/contract/constants'
import type { IaConfig } from '@balcao/contract/entities/config'
import { Plus } from 'lucide-react'
import { Card } from '#shared/ui/card.tsx'
import { focusIaField } from './focus-field.ts'
import { LongText } from '#shared/form/long-text.tsx'
import type { IaChange } from './use-ia-form.ts'

const TRAINING_EXAMPLES = [
  { rotulo: 'Quem somos', texto: 'Somos a [nome da empresa], em [cidade]. Vendemos [o que vendemos].' },
  { rotulo: 'Tom de voz', texto: 'Fale de forma simples e simpática, em frases curtas, chamando o cliente pelo nome.' },
  { rotulo: 'Entrega', texto: 'Entregamos em [bairros], em até [prazo]. A taxa é de [valor].' },
  { rotulo: 'Pagamento', texto: 'Aceitamos Pix, cartão e dinheiro.' },
  { rotulo: 'O que não fazer', texto: 'Não prometa descontos nem prazos: nesses casos, chame um atendente.' },
] as const

interface TrainingCardProps {
  readonly ia: IaConfig
  readonly error: string | undefined
  readonly change: (change: IaChange) => void
}

export function TrainingCard({ ia: { promptTreinamento }, error, change }: TrainingCardProps) {
  const append = (text: string): void => {
    change((current) => ({ promptTreinamento: `${current.promptTreinamento.trimEnd()}\n${text}`.trimStart() }))
    focusIaField('promptTreinamento')
  }
  const missing = TRAINING_EXAMPLES.filter(({ texto }) => !promptTreinamento.includes(texto))
  return (
    <Card heading="Treinamento">
      <LongText
        name="promptTreinamento"
        label="Prompt de treinamento"
        value={promptTreinamento}
        total={CONTADOR.promptTreinamento}
        rows={6}
        error={error}
        hint="Conte o que a IA precisa saber. Os produtos da loja e o horário de atendimento ela já conhece."
        onChange={(text) => change({ promptTreinamento: text })}
      />
      {missing.length > 0 && (
        <div role="group" aria-label="Acrescentar ao prompt" className="mt-3 flex flex-wrap gap-2">
          {missing.map(({ rotulo, texto }) => (
            <button
              key={rotulo}
              type="button"
              title={texto}
              className="flex min-h-9 items-center gap-1.5 rounded-full border border-line px-3 text-sm font-semibold text-brand-ink hover:bg-brand-soft"
              onClick={() => append(texto)}
            >
              <Plus size={14} aria-hidden /> {rotulo}
            </button>
          ))}
        </div>
      )}
    </Card>
  )
}
