import { Card } from '#shared/ui/card.tsx'
import { ApiKeyCard } from './api-key-card.tsx'
import { BehaviourCard } from './behaviour-card.tsx'
import { GatilhosCard } from './gatilhos.tsx'
import { ModelCard } from './model-card.tsx'
import { RangeField } from './range-field.tsx'
import { IaRespostas } from './ia-respostas.tsx'
import { TrainingCard } from './training-card.tsx'
import type { IaForm } from './use-ia-form.ts'

/** A separate chunk: the switch and Salvar load first. */
export function IaSettings({ formulario }: { formulario: IaForm }) {
  const { ia, erros, mudar } = formulario
  return (
    <>
      <Card heading="Chave e modelo">
        <div className="grid gap-5">
          <ApiKeyCard formulario={formulario} />
          <ModelCard formulario={formulario} />
          <RangeField
            name="temperaturaResposta"
            label="Temperatura"
            shownValue={ia.temperaturaResposta.toLocaleString('pt-BR')}
            value={ia.temperaturaResposta}
            endLabels={['Precisa', 'Criativa']}
            limits="temperatura"
            error={erros['temperaturaResposta']}
            onChange={(temperaturaResposta) => mudar({ temperaturaResposta })}
          />
        </div>
      </Card>
      <TrainingCard ia={ia} error={erros['promptTreinamento']} change={mudar} />
      <BehaviourCard formulario={formulario} />
      <GatilhosCard gatilhos={ia.gatilhos} error={erros['gatilhos']} change={mudar} />
      <IaRespostas ia={ia} errors={erros} change={mudar} />
    </>
  )
}
