import { horarioPadrao } from '@balcao/contract/defaults'
import type { Horario } from '@balcao/contract/entities/config'
import { describe, expect, it } from 'vitest'
import { descreverAgora, situacaoDe } from './abre-e-fecha.ts'
import { estaAberto } from './horario.ts'

/** São Paulo is three hours behind UTC. */
const em = (local: string): number => Date.parse(`${local}:00-03:00`)
const padrao = horarioPadrao(2026)
const com = (campos: Partial<Horario['dias']>, excecoes: Horario['excecoes'] = []): Horario => ({
  ...padrao,
  dias: { ...padrao.dias, ...campos },
  excecoes,
})
const sempre = [{ inicio: '00:00', fim: '24:00' }]
const semana = (intervalos: Horario['dias']['seg']): Horario => ({
  ...padrao,
  dias: {
    seg: intervalos,
    ter: intervalos,
    qua: intervalos,
    qui: intervalos,
    sex: intervalos,
    sab: intervalos,
    dom: intervalos,
  },
  excecoes: [],
})

describe('open or closed, and until when', () => {
  it.each([
    ['a working day', padrao, '2026-11-23T10:00', 'aberto, fecha às 18:00'],
    ['before it opens', padrao, '2026-11-23T07:59', 'fechado, abre às 08:00'],
    ['at the closing minute', padrao, '2026-11-23T18:00', 'fechado, abre amanhã às 08:00'],
    ['over the weekend', padrao, '2026-11-21T12:00', 'fechado, abre segunda às 08:00'],
    ['a holiday, by its name', padrao, '2026-12-25T12:00', 'fechado (Natal), abre segunda às 08:00'],
    [
      'a break at noon',
      com({
        seg: [
          { inicio: '08:00', fim: '12:00' },
          { inicio: '13:30', fim: '18:00' },
        ],
      }),
      '2026-11-23T12:30',
      'fechado, abre às 13:30',
    ],
    [
      'after midnight',
      com({ sab: [{ inicio: '20:00', fim: '02:00' }] }),
      '2026-11-21T23:00',
      'aberto, fecha amanhã às 02:00',
    ],
    [
      'in the small hours',
      com({ sab: [{ inicio: '20:00', fim: '02:00' }] }),
      '2026-11-22T01:00',
      'aberto, fecha às 02:00',
    ],
    [
      'until midnight',
      com({ sab: [{ inicio: '20:00', fim: '24:00' }] }),
      '2026-11-21T23:00',
      'aberto, fecha à meia-noite',
    ],
    [
      'days that touch are one',
      com({ sex: sempre, sab: sempre }),
      '2026-11-20T23:00',
      'aberto, fecha domingo às 00:00',
    ],
    [
      'a long season',
      com({ seg: [], ter: [], qua: [], qui: [], sex: [] }, [
        { data: '2026-12-14', nome: '', intervalos: [{ inicio: '09:00', fim: '12:00' }] },
      ]),
      '2026-11-23T10:00',
      'fechado, abre em 14/12 às 09:00',
    ],
    ['never closed', semana(sempre), '2026-11-23T10:00', 'aberto o tempo todo'],
    ['never open', semana([]), '2026-11-23T10:00', 'fechado, sem hora para abrir'],
  ])('%s', (_caso, horario, local, frase) => {
    expect(descreverAgora(horario, em(local))).toBe(frase)
  })

  it('agrees with the rule the bot follows, minute by minute of a week with a night shift and a holiday', () => {
    const horario = com({ qua: [{ inicio: '22:00', fim: '06:00' }], qui: [{ inicio: '05:00', fim: '11:00' }] }, [
      { data: '2026-11-27', nome: 'Inventário', intervalos: [] },
    ])
    let previsto: { readonly aberto: boolean; readonly data: string; readonly minuto: number } | null = null
    for (let t = em('2026-11-23T00:00'); t < em('2026-11-30T00:00'); t += 60_000) {
      const { aberto, muda } = situacaoDe(horario, t)
      expect(aberto).toBe(estaAberto(horario, t))
      if (previsto !== null && previsto.aberto !== aberto) {
        const [data, hora = ''] = new Date(t - 3 * 3_600_000).toISOString().split('T')
        const minuto = Number(hora.slice(0, 2)) * 60 + Number(hora.slice(3, 5))
        expect({ data, minuto }).toEqual({ data: previsto.data, minuto: previsto.minuto })
      }
      previsto = muda === null ? null : { aberto, data: muda.data, minuto: muda.minuto }
    }
  })
})
