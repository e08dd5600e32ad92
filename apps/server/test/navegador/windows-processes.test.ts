import { expect, it } from 'vitest'
import { filterProfileProcesses, parseWindowsProcesses } from '#adapters/navegador/browser/processes.ts'

const PASTA = 'C:\\Dados da loja\\perfis\\session-1'
const chrome = '"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"'
const process = (ProcessId: number, ParentProcessId: number, CommandLine: string | null) => ({
  ...{ ProcessId, ParentProcessId, CommandLine },
})

it('finds the browsers of a folder with their child processes', () => {
  const output = JSON.stringify([
    process(10, 1, `${chrome} "--user-data-dir=${PASTA}" --headless`),
    process(11, 10, `${chrome} --type=renderer`),
    process(12, 11, `${chrome} --type=utility`),
    process(20, 1, `${chrome} --user-data-dir="${PASTA}0" --headless`),
    // The parent's process id was reused by a browser.
    process(30, 10, '"C:\\Windows\\notepad.exe" --nada'),
    process(4, 0, null),
    { ProcessId: 'x' },
  ])
  expect(filterProfileProcesses(PASTA, parseWindowsProcesses(output)).map(({ pid }) => pid)).toEqual([10, 11, 12])
  expect(filterProfileProcesses(`${PASTA}0`, parseWindowsProcesses(output)).map(({ pid }) => pid)).toEqual([20])
})

it('parses a single process and empty output', () => {
  const um = JSON.stringify(process(10, 1, `${chrome} --user-data-dir=${PASTA}`))
  expect(filterProfileProcesses(PASTA, parseWindowsProcesses(`\r\n${um}\r\n`))).toHaveLength(1)
  expect(parseWindowsProcesses('\r\n')).toEqual([])
})
