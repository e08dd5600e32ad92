import { Card } from '#shared/ui/card.tsx'
import { Chave } from './chave.tsx'
import { Comportamento } from './comportamento.tsx'
import { Gatilhos } from './gatilhos.tsx'
import { Modelo } from './modelo.tsx'
import { Regua } from './regua.tsx'
import { Respostas } from './respostas.tsx'
import { Treinamento } from './treinamento.tsx'
import type { FormularioDaIa } from './use-formulario-ia.ts'

/** A separate chunk: the switch and Salvar load first. */
export function Ajustes({ formulario }: { formulario: FormularioDaIa }) {
  const { ia, erros, mudar } = formulario
  return (
    <>
      <Card titulo="Chave e modelo">
        <div className="grid gap-5">
          <Chave formulario={formulario} />
          <Modelo formulario={formulario} />
          <Regua
            nome="temperaturaResposta"
            rotulo="Temperatura"
            lido={ia.temperaturaResposta.toLocaleString('pt-BR')}
            valor={ia.temperaturaResposta}
            pontas={['Precisa', 'Criativa']}
            limites="temperatura"
            erro={erros['temperaturaResposta']}
            onMudar={(temperaturaResposta) => mudar({ temperaturaResposta })}
          />
        </div>
      </Card>
      <Treinamento ia={ia} erro={erros['promptTreinamento']} mudar={mudar} />
      <Comportamento formulario={formulario} />
      <Gatilhos gatilhos={ia.gatilhos} erro={erros['gatilhos']} mudar={mudar} />
      <Respostas ia={ia} erros={erros} mudar={mudar} />
    </>
  )
}
