/** A member's lane; names may contain everything that a lane's id can. */
export const memberLane = (name: string): string => `member-${name}`;
export const LEAD_LANE = 'lead';
