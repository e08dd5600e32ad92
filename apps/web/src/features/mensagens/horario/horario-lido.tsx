import type { Horario } from '@balcao/contract/entities/config'
import { datasEmPalavras } from './datas.ts'
import { nomeDoFuso } from './fusos.ts'
import { NOME_DO_DIA, periodosEmPalavras, SEMANA } from './semana.ts'

const PROXIMAS = 4

export function HorarioLido({ horario, hoje }: { horario: Horario; hoje: string }) {
  const aVista = horario.excecoes.filter(({ data }) => data >= hoje).toSorted((a, b) => (a.data < b.data ? -1 : 1))
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div>
        <h3 className="font-bold">Toda semana</h3>
        <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 text-sm">
          {SEMANA.map((dia) => (
            <div key={dia} className="contents">
              <dt className="py-1 text-muted">{NOME_DO_DIA[dia]}</dt>
              <dd className="py-1 font-semibold tabular-nums">{periodosEmPalavras(horario.dias[dia])}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div>
        <h3 className="font-bold">Próximas datas</h3>
        {aVista.length === 0 && <p className="mt-2 text-sm text-muted">Nenhum feriado e nenhuma data marcada.</p>}
        <ul className="mt-1 text-sm">
          {aVista.slice(0, PROXIMAS).map(({ data, nome, intervalos }) => (
            <li key={data} className="py-1">
              <span className="font-semibold">{nome === '' ? 'Data marcada' : nome}</span>
              <span className="block text-muted">
                {datasEmPalavras([data])} · {periodosEmPalavras(intervalos).toLowerCase()}
              </span>
            </li>
          ))}
        </ul>
        {aVista.length > PROXIMAS && <p className="py-1 text-sm text-muted">e mais {aVista.length - PROXIMAS}</p>}
        <p className="mt-2 text-sm text-muted">Hora de {nomeDoFuso(horario.fuso)}.</p>
      </div>
    </div>
  )
}
