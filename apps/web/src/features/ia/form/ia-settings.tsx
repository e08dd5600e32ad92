import { CONTADOR } from '@balcao/contract/constants'
import type { IaConfig } from '@balcao/contract/entities/config'
import type { LabelledFields } from '#shared/form/labelled-fields.ts'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { Card } from '#shared/ui/card.tsx'
import { ApiKeyCard } from './api-key-card.tsx'
import { BehaviourCard } from './behaviour-card.tsx'
import { GatilhosCard } from './gatilhos.tsx'
import { ModelCard } from './model-card.tsx'
import { LongText } from '#shared/form/long-text.tsx'
import { RangeField } from './range-field.tsx'
import { TrainingCard } from './training-card.tsx'
import type { IaChange, IaForm } from './use-ia-form.ts'

/** A separate chunk: the switch and Salvar load first. */
export function IaSettings({ form }: { form: IaForm }) {
  const { ia, errors, change } = form
  return (
    <>
      <Card heading="Chave e modelo">
        <div className="grid gap-5">
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
      <TrainingCard ia={ia} error={errors['promptTreinamento']} change={change} />
      <BehaviourCard form={form} />
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
