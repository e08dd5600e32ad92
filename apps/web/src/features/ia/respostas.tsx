import { CONTADOR } from '@balcao/contract/constants'
import type { IaConfig } from '@balcao/contract/entities/config'
import type { Descritos } from '#shared/descritos.ts'
import { Card } from '#shared/ui/card.tsx'
import type { ErrosDaIa } from './erros-do-servidor.ts'
import { TextoLongo } from './texto-longo.tsx'
import type { Mudanca } from './use-formulario-ia.ts'

const RESPOSTAS: Descritos<IaConfig['respostasPredefinidas']> = [
  { campo: 'cumprimento', rotulo: 'Cumprimento', dica: 'Quando o cliente só diz “oi” ou “bom dia”.' },
  { campo: 'despedida', rotulo: 'Despedida', dica: 'Quando o cliente só se despede.' },
  { campo: 'naoEntendi', rotulo: 'Não entendi', dica: 'Quando a IA está desligada ou não consegue responder.' },
  { campo: 'transferirHumano', rotulo: 'Transferir para humano', dica: 'Quando a IA chama um atendente.' },
]

interface RespostasProps {
  readonly ia: IaConfig
  readonly erros: ErrosDaIa
  readonly mudar: (mudanca: Mudanca) => void
}

/** Answers sent without calling the provider. */
export function Respostas({ ia: { respostasPredefinidas }, erros, mudar }: RespostasProps) {
  return (
    <Card titulo="Respostas predefinidas">
      <div className="grid gap-5">
        {RESPOSTAS.map(({ campo, rotulo, dica }) => (
          <TextoLongo
            key={campo}
            nome={`respostasPredefinidas.${campo}`}
            rotulo={rotulo}
            valor={respostasPredefinidas[campo]}
            total={CONTADOR.respostaPredefinida}
            linhas={2}
            erro={erros[`respostasPredefinidas.${campo}`]}
            dica={dica}
            onMudar={(texto) =>
              mudar((atual) => ({ respostasPredefinidas: { ...atual.respostasPredefinidas, [campo]: texto } }))
            }
          />
        ))}
      </div>
    </Card>
  )
}
