import { expect, it } from 'vitest'
import { lerProcessos } from '#adapters/navegador/processos-do-windows.ts'
import { doPerfil } from '#adapters/navegador/processos.ts'

/** What PowerShell answers on Windows, in the shape it gives to JSON. */
const PASTA = 'C:\\Dados da loja\\perfis\\session-1'
const chrome = '"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"'
const processo = (ProcessId: number, ParentProcessId: number, CommandLine: string | null) => ({
  ...{ ProcessId, ParentProcessId, CommandLine },
})

it('finds the browsers of a folder and what they started, and nobody else’s', () => {
  const saida = JSON.stringify([
    processo(10, 1, `${chrome} "--user-data-dir=${PASTA}" --headless`),
    processo(11, 10, `${chrome} --type=renderer`),
    processo(12, 11, `${chrome} --type=utility`),
    processo(20, 1, `${chrome} --user-data-dir="${PASTA}0" --headless`),
    // Its parent has long been gone, and the number is another's now.
    processo(30, 10, '"C:\\Windows\\notepad.exe" --nada'),
    processo(4, 0, null),
    { ProcessId: 'x' },
  ])
  expect(doPerfil(PASTA, lerProcessos(saida)).map(({ pid }) => pid)).toEqual([10, 11, 12])
  expect(doPerfil(`${PASTA}0`, lerProcessos(saida)).map(({ pid }) => pid)).toEqual([20])
})

it('reads one as it reads many, and nothing as nobody', () => {
  const um = JSON.stringify(processo(10, 1, `${chrome} --user-data-dir=${PASTA}`))
  expect(doPerfil(PASTA, lerProcessos(`\r\n${um}\r\n`))).toHaveLength(1)
  expect(lerProcessos('\r\n')).toEqual([])
})
