import { expect, it } from 'vitest'
import { parseWindowsProcesses } from '#adapters/navegador/processos-do-windows.ts'
import { filterProfileProcesses } from '#adapters/navegador/processos.ts'

const PASTA = 'C:\\Dados da loja\\perfis\\session-1'
const chrome = '"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"'
const processo = (ProcessId: number, ParentProcessId: number, CommandLine: string | null) => ({
  ...{ ProcessId, ParentProcessId, CommandLine },
})

it('finds the browsers of a folder with their child processes', () => {
  const saida = JSON.stringify([
    processo(10, 1, `${chrome} "--user-data-dir=${PASTA}" --headless`),
    processo(11, 10, `${chrome} --type=renderer`),
    processo(12, 11, `${chrome} --type=utility`),
    processo(20, 1, `${chrome} --user-data-dir="${PASTA}0" --headless`),
    // The parent's process id was reused by a browser.
    processo(30, 10, '"C:\\Windows\\notepad.exe" --nada'),
    processo(4, 0, null),
    { ProcessId: 'x' },
  ])
  expect(filterProfileProcesses(PASTA, parseWindowsProcesses(saida)).map(({ pid }) => pid)).toEqual([10, 11, 12])
  expect(filterProfileProcesses(`${PASTA}0`, parseWindowsProcesses(saida)).map(({ pid }) => pid)).toEqual([20])
})

it('parses a single process and empty output', () => {
  const um = JSON.stringify(processo(10, 1, `${chrome} --user-data-dir=${PASTA}`))
  expect(filterProfileProcesses(PASTA, parseWindowsProcesses(`\r\n${um}\r\n`))).toHaveLength(1)
  expect(parseWindowsProcesses('\r\n')).toEqual([])
})
