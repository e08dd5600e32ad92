import type { Dia } from '@balcao/contract/constants'
import type { Horario } from '@balcao/contract/entities/config'
import { Copy } from 'lucide-react'
import { avisar } from '#shared/avisos.ts'
import { Menu } from '#shared/ui/menu.tsx'
import { Periodos } from './periodos.tsx'
import { copiarDia, DESTINOS, mudarDia, NOME_DO_DIA, SEMANA } from './semana.ts'

export interface SemanaProps {
  readonly horario: Horario
  readonly onMudar: (feito: (atual: Horario) => Horario) => void
}

function Copiar({ de, onMudar }: { de: Dia; onMudar: SemanaProps['onMudar'] }) {
  return (
    <Menu
      rotulo={`Copiar o horário de ${NOME_DO_DIA[de].toLowerCase()} para outros dias`}
      className="btn btn-ghost btn-icon -mt-1"
      botao={<Copy size={17} aria-hidden />}
      itens={DESTINOS.filter(({ dias }) => dias.some((dia) => dia !== de)).map(({ rotulo, dias }) => ({
        rotulo,
        fazer: () => {
          onMudar((atual) => copiarDia(atual, de, dias))
          avisar.info(`Horário copiado: ${rotulo.toLowerCase()}. Salve para valer.`)
        },
      }))}
    />
  )
}

export function SemanaEmEdicao({ horario, onMudar }: SemanaProps) {
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-x-6 sm:grid-cols-2">
      {SEMANA.map((dia) => (
        <li key={dia} className="border-b border-line py-3">
          <div className="mb-1.5 flex items-center gap-2">
            <h4 className="mr-auto font-semibold">{NOME_DO_DIA[dia]}</h4>
            {horario.dias[dia].length === 0 && <span className="text-sm text-muted">Fechado</span>}
            <Copiar de={dia} onMudar={onMudar} />
          </div>
          <Periodos
            de={NOME_DO_DIA[dia]}
            intervalos={horario.dias[dia]}
            onMudar={(intervalos) => onMudar((atual) => mudarDia(atual, dia, intervalos))}
          />
        </li>
      ))}
    </ul>
  )
}
