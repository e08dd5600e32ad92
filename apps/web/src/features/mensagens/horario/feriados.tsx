import { Button } from '#shared/ui/button.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { datasEmPalavras, excecaoDe, feriadosAVista, marcarFeriados } from './datas.ts'
import { periodosEmPalavras } from './semana.ts'
import type { SemanaProps } from './semana-em-edicao.tsx'

export function Feriados({ horario, hoje, onMudar }: SemanaProps & { hoje: string }) {
  const feriados = feriadosAVista(hoje)
  const abertos = feriados.filter(({ data }) => excecaoDe(horario, data) === undefined)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="mr-auto font-bold">Feriados nacionais</h3>
        {abertos.length > 0 && (
          <Button
            variante="ghost"
            tamanho="sm"
            onClick={() => onMudar((atual) => marcarFeriados(atual, abertos, true))}
          >
            Fechar em todos
          </Button>
        )}
      </div>
      <p className="mt-1 text-sm text-muted">Os próximos doze meses. Ligado, a casa não abre nesse dia.</p>
      <ul className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-x-6 sm:grid-cols-2">
        {feriados.map((feriado) => {
          const excecao = excecaoDe(horario, feriado.data)
          const especial = excecao !== undefined && excecao.intervalos.length > 0
          return (
            <li key={feriado.data} className="border-b border-line py-2">
              <Switch
                rotulo={feriado.nome}
                dica={`${datasEmPalavras([feriado.data])}${especial ? ` · abre ${periodosEmPalavras(excecao.intervalos)}` : ''}`}
                ligado={excecao !== undefined && !especial}
                onMudar={(fechado) => onMudar((atual) => marcarFeriados(atual, [feriado], fechado))}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}
