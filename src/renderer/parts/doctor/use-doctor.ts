import type { Doctor } from '@areas/doctor/contract/procedures';
import { useEffect } from 'react';
import { useQuery } from '../../client/hooks';
import { type Reading, refresh } from '../../client/wire/query';
import { DOCTOR_LEAST_MS, DOCTOR_LOOK_MS } from '../../limits';
import { Relook } from './relook';

const relook = new Relook({
  look: () => refresh('doctor.get'),
  isShown: () => document.visibilityState === 'visible',
  now: () => performance.now(),
  leastMs: DOCTOR_LEAST_MS,
});

/**
 * What is there on this machine, and again when the window gets the focus and from time to time: the operator may
 * install an agent in a terminal of their own meanwhile. The core then tells every list of agents.
 */
export function useDoctor(): Reading<Doctor> {
  useEffect(() => {
    const again = () => void relook.want();
    const timer = setInterval(again, DOCTOR_LOOK_MS);
    window.addEventListener('focus', again);
    document.addEventListener('visibilitychange', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', again);
      document.removeEventListener('visibilitychange', again);
    };
  }, []);
  return useQuery('doctor.get', {});
}
