import type { ReactNode } from 'react'
import { CONTADOR, TEMPERATURA } from '@balcao/contract/constants'
import type { IaConfig } from '@balcao/contract/entities/config'
import { FATOS_PROVEDOR, midiasLidas } from '@balcao/contract/presets/provedores-ia'
import type { LabelledFields } from '#shared/form/labelled-fields.ts'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { Card } from '#shared/ui/card.tsx'
import { LongText } from '#shared/form/long-text.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { Field } from '#shared/ui/field.tsx'
import { ApiKeyCard } from './api-key-card.tsx'
import { PrivacyCard } from './privacy-card.tsx'
import { BudgetCard, ModelCard, ProviderChoice, TrustCard } from './provider-cards.tsx'
import { GatilhosCard, TrainingCard } from './training-cards.tsx'
import type { IaChange, IaForm } from './use-ia-form.ts'

const LIMITS = {
  temperatura: { min: TEMPERATURA.minimo, max: TEMPERATURA.maximo, step: TEMPERATURA.passo },
  espera: { min: 0, max: 30, step: 1 },
} as const

interface RangeFieldProps {
  readonly name: string
  readonly label: string
  readonly shownValue: string
  readonly value: number
  readonly endLabels: readonly [string, string]
  readonly limits: keyof typeof LIMITS
  readonly error: string | undefined
  readonly hint?: ReactNode
  readonly onChange: (value: number) => void
}

function RangeField({ name, label, shownValue, value, endLabels, limits, error, hint, onChange }: RangeFieldProps) {
  return (
    <Field label={`${label}: ${shownValue}`} error={error} hint={hint}>
      {(link) => (
        <>
          <input
            {...link}
            {...LIMITS[limits]}
            type="range"
            name={name}
            value={value}
            aria-valuetext={shownValue}
            className="h-11 w-full cursor-pointer accent-brand"
            onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
          />
          <span className="-mt-2 flex justify-between text-sm text-muted" aria-hidden>
            <span>{endLabels[0]}</span>
            <span>{endLabels[1]}</span>
          </span>
        </>
      )}
    </Field>
  )
}

const BEHAVIOURS: LabelledFields<IaConfig['comportamentos']> = [
  { campo: 'sempreResponder', rotulo: 'Sempre responder', dica: 'Responde também o que não é opção do menu.' },
  { campo: 'lembrarContexto', rotulo: 'Lembrar o contexto', dica: '“E de chocolate?” continua a pergunta anterior.' },
  { campo: 'usarEmojis', rotulo: 'Usar emojis', dica: '“Temos sim! 😊”' },
  { campo: 'serFormal', rotulo: 'Ser formal', dica: '“Bom dia. Em que posso ajudá-lo?”' },
]

function formatSeconds(seconds: number): string {
  if (seconds === 0) return 'responde na hora'
  return seconds === 1 ? '1 segundo' : `${seconds} segundos`
}

function midiaHint({ provedor, modeloGemini }: IaConfig): string {
  const { empresa, artigo } = FATOS_PROVEDOR[provedor]
  const lidas = midiasLidas(provedor, modeloGemini)
  if (lidas.length === 0) return 'Este provedor lê só texto: nenhuma foto e nenhum áudio é enviado.'
  const files = lidas.includes('audio') ? 'Vão inteiros' : 'Só fotos. Vão inteiras'
  return `${files} para ${artigo} ${empresa}, fora do Brasil. Desligado, o bot diz que lê só texto.`
}

function BehaviourCard({ form: { ia, errors, change } }: { form: IaForm }) {
  return (
    <Card heading="Comportamento">
      <div className="grid gap-4">
        {BEHAVIOURS.map(({ campo, rotulo, dica }) => (
          <Switch
            key={campo}
            label={rotulo}
            hint={dica}
            on={ia.comportamentos[campo]}
            onChange={(enabled) =>
              change((current) => ({ comportamentos: { ...current.comportamentos, [campo]: enabled } }))
            }
          />
        ))}
        <Switch
          label="Enviar fotos e áudios dos clientes para a IA"
          hint={midiaHint(ia)}
          on={ia.lerMidia}
          onChange={(lerMidia) => change({ lerMidia })}
        />
        <Switch
          label="Transcrever os áudios dos clientes"
          hint="O texto aparece abaixo do áudio e entra na busca. O áudio vai inteiro ao provedor, fora do Brasil. Só com o Gemini ou a OpenAI, até 5 minutos ou 10 MB."
          on={ia.transcrever}
          onChange={(transcrever) => change({ transcrever })}
        />
        <div className="border-t border-line pt-4">
          <RangeField
            name="esperaSegundos"
            label="Espera antes de responder"
            shownValue={formatSeconds(ia.esperaSegundos)}
            value={ia.esperaSegundos}
            endLabels={['Na hora', '30 s']}
            limits="espera"
            error={errors['esperaSegundos']}
            hint="Muita gente escreve em pedaços. A IA espera o cliente ficar quieto e responde tudo de uma vez."
            onChange={(esperaSegundos) => change({ esperaSegundos })}
          />
        </div>
      </div>
    </Card>
  )
}

export function IaSettings({ form }: { form: IaForm }) {
  const { ia, errors, change } = form
  return (
    <>
      <Card heading="Provedor e modelo">
        <div className="grid gap-5">
          <ProviderChoice form={form} />
          <ApiKeyCard form={form} />
          <ModelCard form={form} />
          <RangeField
            name="temperaturaResposta"
            label="Temperatura"
            shownValue={ia.temperaturaResposta.toLocaleString('pt-BR')}
            value={ia.temperaturaResposta}
            endLabels={['Precisa', 'Criativa']}
            limits="temperatura"
            error={errors['temperaturaResposta']}
            onChange={(temperaturaResposta) => change({ temperaturaResposta })}
          />
        </div>
      </Card>
      <BudgetCard form={form} />
      <TrainingCard ia={ia} error={errors['promptTreinamento']} change={change} />
      <BehaviourCard form={form} />
      <TrustCard form={form} />
      <PrivacyCard ia={ia} />
      <GatilhosCard gatilhos={ia.gatilhos} error={errors['gatilhos']} change={change} />
      <IaRespostas ia={ia} errors={errors} change={change} />
    </>
  )
}

const RESPOSTA_FIELDS: LabelledFields<IaConfig['respostasPredefinidas']> = [
  { campo: 'cumprimento', rotulo: 'Cumprimento', dica: 'Quando o cliente só diz “oi” ou “bom dia”.' },
  { campo: 'despedida', rotulo: 'Despedida', dica: 'Quando o cliente só se despede.' },
  { campo: 'naoEntendi', rotulo: 'Não entendi', dica: 'Quando a IA está desligada ou não consegue responder.' },
  { campo: 'transferirHumano', rotulo: 'Transferir para humano', dica: 'Quando a IA chama um atendente.' },
]

interface IaRespostasProps {
  readonly ia: IaConfig
  readonly errors: FormErrors
  readonly change: (change: IaChange) => void
}

/** Answers sent without calling the provider. */
function IaRespostas({ ia: { respostasPredefinidas }, errors, change }: IaRespostasProps) {
  return (
    <Card heading="Respostas predefinidas">
      <div className="grid gap-5">
        {RESPOSTA_FIELDS.map(({ campo, rotulo, dica }) => (
          <LongText
            key={campo}
            name={`respostasPredefinidas.${campo}`}
            label={rotulo}
            value={respostasPredefinidas[campo]}
            total={CONTADOR.respostaPredefinida}
            rows={2}
            error={errors[`respostasPredefinidas.${campo}`]}
            hint={dica}
            onChange={(text) =>
              change((current) => ({ respostasPredefinidas: { ...current.respostasPredefinidas, [campo]: text } }))
            }
          />
        ))}
      </div>
    </Card>
  )
}
