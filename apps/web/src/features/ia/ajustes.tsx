import { Card } from '#shared/ui/card.tsx'
import { ApiKeyCard } from './chave.tsx'
import { BehaviourCard } from './comportamento.tsx'
import { GatilhosCard } from './gatilhos.tsx'
import { ModelCard } from './modelo.tsx'
import { RangeField } from './regua.tsx'
import { IaRespostas } from './respostas.tsx'
import { TrainingCard } from './treinamento.tsx'
import type { IaForm } from './use-formulario-ia.ts'

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
